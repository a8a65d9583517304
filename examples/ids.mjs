// A batch as runs is short on the wire however many ids it holds. Usage: node ids.mjs [URL]
const url = process.argv[2] ?? "http://localhost:8080";

const reply = await fetch(`${url}/ids/batch?form=runs`, { method: "POST", body: JSON.stringify({ count: 10000 }) });
if (!reply.ok) throw new Error((await reply.json()).detail);

const ids = [];
for (const { first, count, stride } of (await reply.json()).runs) {
  for (let i = 0n; i < count; i++) ids.push(BigInt(first) + i * BigInt(stride)); // a number would lose the low bits
}
console.log(`${ids.length} ids, ${ids[0]} to ${ids.at(-1)}`);
