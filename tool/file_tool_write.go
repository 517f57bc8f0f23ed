package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"paddock"
)

// filePut is write, append and create.
func filePut(ctx context.Context, c *paddock.Call, path string, a *fileArgs) (Result, error) {
	if a.Operation != "create" {
		if err := must(a.Content, "content", a.Operation); err != nil {
			return Result{}, err
		}
	}
	enc, err := encodingOf(or(a.Encoding, utf8Name))
	if err != nil {
		return Result{}, err
	}
	if a.Operation == "append" && enc.name == utf16Name {
		return Result{}, errorf("utf-16 begins with a byte order mark, which has no place in the middle of a file; append in utf-16le or utf-16be, as the file has it")
	}
	content, err := enc.encode(or(a.Content, ""))
	if err != nil {
		return Result{}, err
	}
	var r paddock.WriteResult
	put := func() (err error) {
		switch a.Operation {
		case "append":
			r, err = c.Append(ctx, path, content, paddock.WriteOptions{Create: true, Parents: true})
		default:
			r, err = c.Write(ctx, path, content, paddock.WriteOptions{Create: true, Replace: a.Operation == "write", Parents: true})
		}
		return err
	}
	if or(a.DryRun, false) {
		return dryPut(ctx, c, path, a, len(content), put)
	}
	if err := put(); err != nil {
		return Result{}, putError(path, a.Operation, err)
	}
	out := fileAnswer{Operation: a.Operation, Path: Spell(r.Path), Created: &r.Created, InPlace: r.InPlace, described: described{Size: &r.Size}}
	text := "Updated file " + out.Path
	switch {
	case r.Created:
		text = "Created file " + out.Path
	case a.Operation == "append":
		text = fmt.Sprintf("Appended %s to %s, which has %d now", plural(len(content), "byte", "bytes"), out.Path, r.Size)
	}
	return Result{Text: text + inPlaceNote(r.InPlace), Structured: out}, nil
}

func putError(path, operation string, err error) error {
	if operation == "create" && errors.Is(err, fs.ErrExist) {
		return errorf("%s exists already; write replaces its content", quoted(Spell(path)))
	}
	return err
}

func dryPut(ctx context.Context, c *paddock.Call, path string, a *fileArgs, size int, put func() error) (Result, error) {
	plan, err := c.DryRun(put)
	if err != nil {
		return Result{}, putError(path, a.Operation, err)
	}
	name := Spell(path)
	would := fmt.Sprintf("create %s with %s", name, plural(size, "byte", "bytes"))
	if info, err := c.Stat(ctx, path); err == nil {
		name = Spell(info.Path)
		if a.Operation == "append" {
			would = fmt.Sprintf("append %s to the %d of %s", plural(size, "byte", "bytes"), info.Size, name)
		} else {
			would = fmt.Sprintf("replace the %s of %s by %d", plural(int(info.Size), "byte", "bytes"), name, size)
		}
	}
	return Result{Text: dryText(plan, would), Structured: fileAnswer{Operation: a.Operation, Path: name, dry: dryOf(plan)}}, nil
}

// fileEdit replaces a piece of text. In another encoding than UTF-8 the file is
// read and written in that; what is not replaced stays byte for byte.
func fileEdit(ctx context.Context, c *paddock.Call, path string, a *fileArgs) (Result, error) {
	if err := errors.Join(must(a.OldString, "old_string", a.Operation), must(a.NewString, "new_string", a.Operation)); err != nil {
		return Result{}, err
	}
	if *a.OldString == *a.NewString {
		return Result{}, errorf("old_string and new_string are the same; there is nothing to change")
	}
	enc, err := encodingOf(or(a.Encoding, utf8Name))
	if err != nil {
		return Result{}, err
	}
	if enc.name == base64Name {
		return Result{}, errorf("edit works on text, and base64 is none; read the bytes and write them anew")
	}
	out := fileAnswer{Operation: a.Operation, Path: Spell(path)}
	var r paddock.WriteResult
	var n int
	var wrong error // that the text is not there, or too often
	edit := func() (err error) {
		r, err = c.Edit(ctx, path, func(old []byte) (fresh []byte, err error) {
			fresh, n, err = enc.replace(old, *a.OldString, *a.NewString, or(a.ReplaceAll, false))
			wrong = err
			return fresh, err
		})
		return err
	}
	if or(a.DryRun, false) {
		plan, err := c.DryRun(edit)
		if err == nil && !plan.Ask {
			err = wrong
		}
		if err != nil {
			return Result{}, err
		}
		out.dry = dryOf(plan)
		would := fmt.Sprintf("change %s in %s", plural(n, "place", "places"), out.Path)
		if plan.Ask {
			// What is in the file is told when a person has agreed, not before.
			would = "change " + out.Path + ", if the text is there"
		}
		return Result{Text: dryText(plan, would), Structured: out}, nil
	}
	if err := edit(); err != nil {
		return Result{}, err
	}
	out.Path, out.InPlace, out.Replaced, out.Size = Spell(r.Path), r.InPlace, &n, &r.Size
	text := fmt.Sprintf("Successfully replaced %d instance(s) of the string in '%s'", n, out.Path)
	return Result{Text: text + inPlaceNote(r.InPlace), Structured: out}, nil
}
