import { CodeNode } from "@lexical/code";
import { $generateHtmlFromNodes, $generateNodesFromDOM } from "@lexical/html";
import { LinkNode } from "@lexical/link";
import { ListItemNode, ListNode } from "@lexical/list";
import { HeadingNode, QuoteNode } from "@lexical/rich-text";
import { TableCellNode, TableNode, TableRowNode } from "@lexical/table";
import { $getRoot, $insertNodes, createEditor } from "lexical";

const NODES = [
  ...[CodeNode, HeadingNode, LinkNode, ListItemNode, ListNode, QuoteNode],
  ...[TableCellNode, TableNode, TableRowNode],
];
const FORMATS = ["bold", "italic", "strike", "under", "code", "sub", "super", "marked"];

const node = (type, more, ...children) => ({
  ...{ type, version: 1, direction: null, format: "", indent: 0, ...more },
  children,
});
const text = (text, format = 0) => ({
  ...{ type: "text", version: 1, text, format, style: "", mode: "normal", detail: 0 },
});
const p = (...children) => node("paragraph", { textFormat: 0, textStyle: "" }, ...children);
const item = (value, more, ...children) => node("listitem", { value, ...more }, ...children);
const list = (listType, start, ...items) =>
  node("list", { listType, start, tag: listType === "number" ? "ol" : "ul" }, ...items);
const cell = (words, more) =>
  node("tablecell", { headerState: 0, colSpan: 1, rowSpan: 1, ...more }, p(text(words)));

const LINK = { url: "https://example.org/", rel: "noopener", target: "_blank", title: "Example" };
const BREAK = { type: "linebreak", version: 1 };
const DOCUMENT = {
  root: node(
    "root",
    {},
    node("heading", { tag: "h2", format: "center" }, text("Heading")),
    p(
      ...FORMATS.map((name, bit) => text(name, 1 << bit)),
      BREAK,
      node("link", LINK, text("link")),
    ),
    node("quote", {}, text("quote")),
    list(
      "bullet",
      1,
      item(1, {}, text("bullet")),
      item(2, {}, list("bullet", 1, item(1, { indent: 1 }, text("deeper")))),
    ),
    list("number", 3, item(3, {}, text("number"))),
    list(
      "check",
      1,
      item(1, { checked: true }, text("done")),
      item(2, { checked: false }, text("open")),
    ),
    node("code", { language: "javascript" }, text("let a = 1 < 2;"), BREAK, text("  b")),
    node(
      "table",
      { colWidths: [100, 200] },
      node("tablerow", {}, cell("head", { headerState: 1, width: 100 }), cell("two", {})),
      node(
        "tablerow",
        {},
        cell("a", { backgroundColor: "#eeeeee" }),
        cell("b", { verticalAlign: "middle" }),
      ),
    ),
    p(text("end")),
  ),
};

const open = (state) => {
  const editor = createEditor({
    nodes: NODES,
    onError(error) {
      throw error;
    },
  });
  if (state) editor.setEditorState(editor.parseEditorState(state));
  return editor;
};
const write = (state) => {
  const editor = open(state);
  return editor.read(() => $generateHtmlFromNodes(editor));
};

export const lexical = {
  make: () => write(DOCUMENT),
  write,
  read(html) {
    const editor = open();
    const page = new DOMParser().parseFromString(html, "text/html");
    const insert = () => {
      $getRoot().clear().select();
      $insertNodes($generateNodesFromDOM(editor, page));
    };
    editor.update(insert, { discrete: true });
    return editor.getEditorState().toJSON();
  },
};
