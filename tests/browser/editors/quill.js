import katex from "katex";
import Quill from "quill";
import { box } from "./box.js";

window.katex = katex;

const line = (text, attributes) => [{ insert: text }, { insert: "\n", attributes }];
const words = (all) =>
  Object.entries(all).map(([insert, attributes]) => ({ insert, attributes }));

const DOCUMENT = [
  ...line("Heading", { header: 2 }),
  ...words({
    bold: { bold: true },
    italic: { italic: true },
    under: { underline: true },
    strike: { strike: true },
    sub: { script: "sub" },
    super: { script: "super" },
    code: { code: true },
    link: { link: "https://example.org/" },
    red: { color: "#e60000" },
    yellow: { background: "#ffff00" },
    font: { font: "serif" },
    size: { size: "large" },
  }),
  { insert: { formula: "e=mc^2" } },
  { insert: { image: "/api/images/images/a.png" }, attributes: { alt: "river", width: "300" } },
  { insert: "\n" },
  ...line("quote", { blockquote: true }),
  ...line("bullet", { list: "bullet" }),
  ...line("deeper", { list: "bullet", indent: 1 }),
  ...line("number", { list: "ordered" }),
  ...line("done", { list: "checked" }),
  ...line("open", { list: "unchecked" }),
  ...line("let a = 1 < 2;", { "code-block": "javascript" }),
  ...line("centred", { align: "center" }),
  ...line("שלום", { direction: "rtl" }),
  ...line("indented", { indent: 2 }),
  { insert: { video: "https://www.youtube.com/embed/x?rel=0" } },
  ...line("a", { table: "r1" }),
  ...line("b", { table: "r1" }),
  ...line("c", { table: "r2" }),
  ...line("d", { table: "r2" }),
  { insert: "end\n" },
];

const open = (delta) => {
  const editor = new Quill(box(), { modules: { toolbar: false, table: true } });
  editor.setContents(typeof delta === "string" ? editor.clipboard.convert({ html: delta }) : delta);
  return editor;
};
const withHtml = (html) => ({
  make: () => html(open(DOCUMENT)),
  write: (model) => html(open(model)),
  read: (source) => open(source).getContents().ops,
});

export const quill = withHtml((editor) => editor.root.innerHTML);
export const quillSemantic = withHtml((editor) => editor.getSemanticHTML());
