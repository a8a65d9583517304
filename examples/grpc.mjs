// gRPC without any package: Node's own HTTP/2, and the few bytes of two messages by hand. Usage: node grpc.mjs [URL [TAG]]
// With packages it is shorter: docs/grpc.md.
import http2 from "node:http2";

const url = process.argv[2] ?? "http://localhost:8080";
const tag = process.argv[3] ?? "default";

// A message: a byte that says whether it is compressed, four for its length, and its bytes.
function framed(message) {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

// NextIDRequest { string biz_tag = 1; }
const request = Buffer.concat([Buffer.from([1 << 3 | 2, tag.length]), Buffer.from(tag)]);

// NextIDResponse { int64 id = 1; string text = 2; string engine = 3; }
function read(message) {
  const fields = {};
  let at = 0;
  const varint = () => {
    let value = 0n, shift = 0n, byte;
    do {
      byte = message[at++];
      value |= BigInt(byte & 127) << shift;
      shift += 7n;
    } while (byte & 128);
    return value;
  };
  while (at < message.length) {
    const key = Number(varint());
    if ((key & 7) === 0) {
      fields[key >> 3] = varint();
    } else {
      const length = Number(varint());
      fields[key >> 3] = message.subarray(at, at + length).toString();
      at += length;
    }
  }
  return { id: fields[1] ?? 0n, text: fields[2] ?? "", engine: fields[3] ?? "" };
}

const session = http2.connect(url);
session.on("error", error => { console.error(`${url}: ${error.message || error.code}`); process.exitCode = 1; });
const call = session.request({
  ":method": "POST",
  ":path": "/idgen.v1.IdService/NextID",
  "content-type": "application/grpc",
  te: "trailers",
});
const chunks = [];
let status;
const look = headers => { if ("grpc-status" in headers) status = headers; };
call.on("response", look); // a refusal is told at once ...
call.on("trailers", look); // ... and success behind the message
call.on("data", chunk => chunks.push(chunk));
call.on("error", () => {}); // the session tells why
call.on("end", () => {
  session.close();
  if (status === undefined) return; // there was no answer
  if (status["grpc-status"] !== "0") {
    console.error(`status ${status["grpc-status"]}: ${decodeURIComponent(status["grpc-message"])}`);
    process.exitCode = 1;
    return;
  }
  const { id, text, engine } = read(Buffer.concat(chunks).subarray(5));
  console.log(`${id} ${text} ${engine}`);
});
call.end(framed(request));
