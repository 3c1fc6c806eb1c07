import { type Scenario, scenariosOf } from '../scenario.ts'
import { chunk, head, raw, write } from '../server/raw-http.ts'
import type { Script } from '../server/scripted-server.ts'
import { bytesOf, withHeader } from '../server/signed-reply.ts'
import type { Stage } from '../stage.ts'

const variations: { name: string; script: Script }[] = [
  {
    name: 'HTTP/1.0 without a length',
    script: raw(({ honest }) => {
      const reply = honest()
      return head(reply, [], 'HTTP/1.0 200 OK') + reply.body.toString()
    }),
  },
  {
    name: 'a connection closed after each answer',
    script: ({ honest }) => withHeader(honest(), 'connection', 'close'),
  },
  {
    name: 'no reason in the status line',
    script: raw(({ honest }) => bytesOf(withHeader(honest(), 'connection', 'close'), 'HTTP/1.1 200 ')),
  },
  {
    name: 'an answer in chunks of one byte',
    script: raw(({ honest }) => {
      const reply = honest()
      const pieces = Array.from(reply.body, (byte) => chunk(Buffer.from([byte])))
      const start = head(reply, ['transfer-encoding: chunked', 'connection: close'])
      return Buffer.concat([Buffer.from(start), ...pieces, Buffer.from('0\r\n\r\n')])
    }),
  },
  {
    name: 'an answer byte by byte',
    script: async ({ honest, socket }) => {
      const bytes = bytesOf(withHeader(honest(), 'connection', 'close'))
      await write(socket, (n) => (n * 40 < bytes.length ? bytes.subarray(n * 40, n * 40 + 40) : undefined), 1)
      socket.end()
      return undefined
    },
  },
  {
    name: 'an interim answer first',
    script: raw(({ honest }) =>
      Buffer.concat([
        Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'),
        bytesOf(withHeader(honest(), 'connection', 'close')),
      ]),
    ),
  },
]

const sequence = async (stage: Stage, script: Script): Promise<string> => {
  await stage.signIn()
  stage.server.always('log', script)
  const first = await stage.outcome('log', { message: 'x' })
  const second = await stage.outcome('log', { message: 'x' })
  return `${first}, ${second}, done ${stage.server.model.doneCount('log')} times`
}

/** Unusual and still right: proxies do this. */
export const unusualHttpScenarios: Scenario[] = variations.map(({ name, script }) =>
  scenariosOf('right')(
    name,
    { guards: 'a proxy in between may answer like this', expected: 'ok, ok, done 2 times' },
    (stage) => sequence(stage, script),
  ),
)
