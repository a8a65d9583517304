// Redis clients that others wrote, against a running server: `node redis.mjs <port>`, in a folder where `npm ci` was run.
// Needs the tags `default` (snowflake), `order` (segment) and `mail` (uuidv7).
import assert from 'node:assert/strict';
import { createClient, RESP_TYPES } from '@redis/client';
import Redis from 'ioredis';

const port = Number(process.argv[2]);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What every client is to find, whatever it is called there. */
async function check(name, client) {
  const first = await client.send('ID.NEXT', 'default');
  assert.match(first, /^\d{15,19}$/, 'an id as a text: JavaScript numbers hold 53 bits');
  const second = await client.send('INCR', 'default');
  assert.equal(typeof second, 'string', 'this client was told to give numbers as texts');
  assert.ok(BigInt(second) > BigInt(first));

  const last = BigInt(await client.send('INCRBY', 'order', '100'));
  assert.equal(BigInt(await client.send('INCR', 'order')) > last, true);

  const many = await client.send('ID.NEXT', 'default', 'COUNT', '1000');
  assert.equal(new Set(many).size, 1000);
  assert.ok(BigInt(many[0]) > BigInt(second));
  assert.match(await client.send('ID.NEXT', 'mail'), UUID);

  const pipelined = await Promise.all(Array.from({ length: 2000 }, () => client.send('INCR', 'default')));
  for (let i = 1; i < pipelined.length; i++) {
    assert.ok(BigInt(pipelined[i]) > BigInt(pipelined[i - 1]), 'replies come in the order of their commands');
  }

  await assert.rejects(client.send('INCR', 'mail'), /ENGINE_MISMATCH/);
  await assert.rejects(client.send('INCR', 'nobody'), /UNKNOWN_TAG/);
  await assert.rejects(client.send('GET', 'order'), /unknown command 'GET'/);
  const fields = await client.send('ID.INSPECT', first);
  assert.ok(JSON.stringify(fields).includes('snowflake'), JSON.stringify(fields));
  await client.end();
  console.log(`ok ${name}`);
}

const io = new Redis({ port, host: '127.0.0.1', stringNumbers: true, connectionName: 'check', lazyConnect: true });
await io.connect(); // asks INFO, and waits until it is loaded
await check('ioredis', {
  send: (command, ...words) => io.call(command, ...words),
  end: () => io.quit(),
});

for (const RESP of [2, 3]) {
  const plain = createClient({
    url: `redis://127.0.0.1:${port}`,
    RESP,
    name: 'check',
    commandOptions: { typeMapping: { [RESP_TYPES.NUMBER]: String } },
  });
  plain.on('error', (fault) => {
    throw fault;
  });
  await plain.connect();
  await check(`node-redis, RESP${RESP}`, {
    send: (...words) => plain.sendCommand(words),
    end: () => plain.close(),
  });
}
