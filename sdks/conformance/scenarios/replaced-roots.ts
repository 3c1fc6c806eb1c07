import { announceRootKey } from '#protocol/key-certificate.ts'
import { type Scenario, scenariosOf } from '../scenario.ts'
import { generation, type Identity, laterRootKeys, otherRootKey, rootKey } from '../server/identity.ts'
import type { Script } from '../server/scripted-server.ts'
import { headerOf, withHeader } from '../server/signed-reply.ts'
import type { Stage } from '../stage.ts'

const changed = scenariosOf('changed')
const hostile = scenariosOf('hostile')

const [second, third, fourth, fifth, sixth] = laterRootKeys
const roots = [rootKey, second, third, fourth, fifth, sixth]

/** The app's keys after so many replacements. */
function replaced(times: number, signingKey = times): Identity {
  const announcements = roots.slice(0, times).map((root, n) => announceRootKey(root, roots[n + 1] as typeof root))
  return { ...generation(signingKey), root: roots[times] as typeof rootKey, announcements }
}

const kept = async (stage: Stage): Promise<string> => `${await stage.valid()}, ${stage.events()}`
const beat = (stage: Stage): Promise<string> => stage.outcome('heartbeat')

/** Replaces the root key, and then does what a thief of the old one can do. */
const afterReplacement =
  (attack: Identity) =>
  async (stage: Stage): Promise<string> => {
    await stage.signIn()
    stage.server.identity = replaced(1)
    const before = await beat(stage)
    stage.server.identity = attack
    const got = await beat(stage)
    stage.server.identity = replaced(1)
    return `${before}, ${got}, then ${await beat(stage)}, ${await kept(stage)}`
  }

const isRefused = { expected: 'ok, UNKNOWN_KEY, then ok, valid, no event' }

/** An answer that announces a new root key and isn't accepted; afterwards the server is as before. */
const notAccepted =
  (script: Script) =>
  async (stage: Stage): Promise<string> => {
    await stage.signIn()
    const before = stage.server.identity
    stage.server.identity = replaced(1)
    stage.server.next('heartbeat', script)
    const got = await beat(stage)
    stage.server.identity = before
    return `${got}, then ${await beat(stage)}, ${await kept(stage)}`
  }

export const replacedRootScenarios: Scenario[] = [
  changed(
    'the root key is replaced and announced',
    {
      guards: 'programs in use follow an announcement of the key that they contain',
      expected: 'ok, ok, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = replaced(1)
      return `${await beat(stage)}, ${await beat(stage)}, ${await kept(stage)}`
    },
  ),
  ...[1, 2, 4].map((times) =>
    changed(
      `a program starts after ${times === 1 ? 'a replacement' : `${times} replacements`} of the root key`,
      { guards: 'all announcements are followed in their order', expected: 'ok, ok, valid' },
      async (stage) => {
        stage.server.identity = replaced(times)
        const got = await stage.outcome('license', { key: 'KEY-1' })
        return `${got}, ${await beat(stage)}, ${await stage.valid()}`
      },
    ),
  ),
  changed(
    'the root key is replaced four times while a program runs',
    { guards: 'an announcement of an announced key is followed', expected: 'ok, ok, ok, ok, valid, no event' },
    async (stage) => {
      await stage.signIn()
      const got: string[] = []
      for (const times of [1, 2, 3, 4]) {
        stage.server.identity = replaced(times)
        got.push(await beat(stage))
      }
      return `${got.join(', ')}, ${await kept(stage)}`
    },
  ),
  changed(
    'the root key is replaced between background heartbeats',
    {
      guards: 'a replacement goes unnoticed',
      expected: 'valid, no event',
      create: { heartbeatInterval: 0.2, grace: 20 },
    },
    async (stage) => {
      await stage.signIn()
      await stage.moreRequests('heartbeat', 2)
      stage.server.identity = replaced(1)
      await stage.moreRequests('heartbeat', 3)
      return kept(stage)
    },
  ),
  changed(
    'the announcements end',
    { guards: 'a client that has followed them needs them no more', expected: 'ok, ok, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = replaced(1)
      const before = await beat(stage)
      stage.server.identity = { ...replaced(1, 2), announcements: [] }
      return `${before}, ${await beat(stage)}, ${await kept(stage)}`
    },
  ),
  changed(
    'announcements for older programs stand before',
    { guards: 'an announcement by a key that the program never had is skipped', expected: 'ok, ok, valid' },
    async (stage) => {
      stage.server.identity = { ...generation(0), announcements: [announceRootKey(otherRootKey, rootKey)] }
      const got = await stage.outcome('license', { key: 'KEY-1' })
      return `${got}, ${await beat(stage)}, ${await stage.valid()}`
    },
  ),
  hostile(
    'the replaced root key certifies again',
    {
      guards: 'a stolen root key is worth nothing to a running program that has followed its announcement',
      ...isRefused,
    },
    afterReplacement(generation(2)),
  ),
  hostile(
    'the replaced root key certifies again, with a high serial',
    { guards: 'a serial makes up for no root key', ...isRefused },
    afterReplacement({ ...generation(2), serial: 1_000_000 }),
  ),
  hostile(
    'the replaced root key announces another one',
    { guards: 'only the newest root key can announce', ...isRefused },
    afterReplacement({ ...generation(2), root: sixth, announcements: [announceRootKey(rootKey, sixth)] }),
  ),
  hostile(
    'a stranger announces the root key',
    {
      guards: 'an announcement counts only if the trusted key has signed it',
      expected: 'UNKNOWN_KEY, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = { ...generation(1), root: sixth, announcements: [announceRootKey(otherRootKey, sixth)] }
      return `${await beat(stage)}, ${await kept(stage)}`
    },
  ),
  hostile(
    'a stranger announces the pinned root key and certifies',
    { guards: 'who announces a key is not certified by it', expected: 'UNKNOWN_KEY, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = {
        ...generation(1),
        root: otherRootKey,
        announcements: [announceRootKey(otherRootKey, rootKey)],
      }
      return `${await beat(stage)}, ${await kept(stage)}`
    },
  ),
  hostile(
    'five announcements',
    { guards: 'the work for one answer is bounded', expected: 'UNKNOWN_KEY, valid, no event' },
    async (stage) => {
      await stage.signIn()
      stage.server.identity = replaced(5)
      return `${await beat(stage)}, ${await kept(stage)}`
    },
  ),
  hostile(
    'an announcement under a bad signature',
    { guards: 'an answer that fails a check moves no root key', expected: 'BAD_SIGNATURE, then ok, valid, no event' },
    notAccepted(({ honest }) => {
      const reply = honest()
      const text = headerOf(reply, 'x-signet-signature')
      return withHeader(reply, 'x-signet-signature', `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`)
    }),
  ),
  hostile(
    'an announcement in the answer to another request',
    { guards: 'an answer that fails a check moves no root key', expected: 'BAD_SIGNATURE, then ok, valid, no event' },
    notAccepted(({ honest }) => honest({ nonce: 'b'.repeat(32) })),
  ),
  hostile(
    'an announcement in an old answer',
    {
      guards: 'an answer that fails the last check moves no root key',
      expected: 'STALE_RESPONSE, then ok, valid, no event',
    },
    async (stage) => {
      await stage.signIn()
      const before = stage.server.identity
      stage.server.identity = replaced(1)
      stage.server.next('log', ({ honest }) => honest({ serverTime: Date.now() - 300_000 }))
      const got = await stage.outcome('log', { message: 'x' })
      stage.server.identity = before
      return `${got}, then ${await beat(stage)}, ${await kept(stage)}`
    },
  ),
  hostile(
    'an announcement with an expired certificate',
    { guards: 'an answer that fails a check moves no root key', expected: 'UNKNOWN_KEY, then ok, valid, no event' },
    notAccepted(({ honest }) => honest({ notAfter: Math.floor(Date.now() / 1000) - 1000 })),
  ),
]
