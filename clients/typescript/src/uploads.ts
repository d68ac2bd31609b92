import type { Fetch } from "./fetch.js";

/** Is called with the number of sent bytes and that of all. */
export type OnProgress = (sent: number, total: number) => void;

/** The options of an upload. */
export interface UploadOptions {
  /** The name of the file; by default, that of a `File`. */
  name?: string;
  /** Is called while the file is sent. */
  onProgress?: OnProgress;
  /** Ends the upload. */
  signal?: AbortSignal;
}

/** Returns the form of an upload. */
export function fileForm(file: Blob, name?: string): FormData {
  const form = new FormData();
  form.set("file", file, name ?? (file instanceof File ? file.name : "file"));
  return form;
}

/** Returns a function that sends a request and reports the sent bytes. */
export function fetchWithProgress(send: Fetch, onProgress: OnProgress): Fetch {
  // Browsers send streams only over HTTP/2, and report the progress of XMLHttpRequest only.
  return typeof XMLHttpRequest === "undefined"
    ? (request) => sendStream(send, request, onProgress)
    : (request) => sendByXhr(request, onProgress);
}

const CHUNK = 65_536;

async function sendStream(send: Fetch, request: Request, onProgress: OnProgress): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent > 0) onProgress(sent, bytes.length);
      if (sent === bytes.length) return controller.close();
      const chunk = bytes.subarray(sent, sent + CHUNK);
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const { url, method, headers, signal } = request;
  // The type of RequestInit lacks "duplex", which a stream needs.
  const init: RequestInit & { duplex: "half" } = { method, headers, signal, body, duplex: "half" };
  return send(new Request(url, init));
}

function sendByXhr(request: Request, onProgress: OnProgress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const fail = () => reject(new TypeError("XMLHttpRequest got no answer"));
    xhr.open(request.method, request.url);
    xhr.responseType = "arraybuffer";
    request.headers.forEach((value, name) => xhr.setRequestHeader(name, value));
    xhr.upload.addEventListener("progress", ({ loaded, total }) => onProgress(loaded, total));
    xhr.addEventListener("load", () => resolve(responseOf(xhr)));
    xhr.addEventListener("error", fail);
    xhr.addEventListener("abort", fail);
    request.signal.addEventListener("abort", () => xhr.abort());
    request
      .arrayBuffer()
      .then((body) => {
        request.signal.throwIfAborted();
        xhr.send(body);
      })
      .catch(reject);
  });
}

function responseOf(xhr: XMLHttpRequest): Response {
  const lines = xhr.getAllResponseHeaders().trim().split(/\r?\n/).filter(Boolean);
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const { status, statusText } = xhr;
  return new Response(xhr.response as ArrayBuffer, { status, statusText, headers });
}
