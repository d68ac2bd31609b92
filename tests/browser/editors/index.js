// The editors under a common interface: `make()` returns the HTML of a document with everything that
// the editor can make, `write(model)` the HTML of a model, and `read(html)` the model that the
// editor has after it has opened HTML.
import { ckeditor } from "./ckeditor.js";
import { lexical } from "./lexical.js";
import { quill, quillSemantic } from "./quill.js";
import { tiptap } from "./tiptap.js";
import { trix } from "./trix.js";

window.editors = { ckeditor, lexical, quill, quillSemantic, tiptap, trix };
