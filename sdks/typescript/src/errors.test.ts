import { describe, expect, test } from 'vitest'
import { ScriptedServer } from '../scripted-server.ts'
import { RejectedError, SignetError, UnverifiedError } from './client.ts'
import { codes } from './codes.ts'

test.each<[string, number, string, boolean]>([
  ['LICENSE_BANNED', 403, 'lost', false],
  ['LICENSE_BANNED', 429, 'temporary', true],
  ['LICENSE_BANNED', 500, 'temporary', true],
  ['LICENSE_NOT_FOUND', 404, 'request', false],
  ['A_CODE_OF_TOMORROW', 403, 'request', false],
  ['A_CODE_OF_TOMORROW', 503, 'temporary', true],
  ['NONCE_REUSED', 409, 'temporary', true],
  ['NETWORK', 403, 'request', false],
  ['constructor', 403, 'request', false],
])('%s with status %i is %s', (code, status, verdict, isTemporary) => {
  expect(new RejectedError(code, '', status, {})).toMatchObject({ verdict, isTemporary, status, code })
})

test('errors of the client itself say nothing about the license', () => {
  for (const code of ['NETWORK', 'UNSIGNED_RESPONSE', 'BAD_SIGNATURE', 'UNKNOWN_KEY', 'STALE_RESPONSE'] as const) {
    expect(new UnverifiedError(code, '')).toMatchObject({ verdict: 'unverified', isTemporary: true, status: 0 })
  }
  expect(new SignetError('SESSION_REQUIRED', '')).toMatchObject({ verdict: 'request', isTemporary: false })
  expect(new SignetError('MALFORMED_REPLY', '')).toMatchObject({ verdict: 'temporary', isTemporary: true })
})

test('an empty link or request ID is none', () => {
  const error = new RejectedError('VERSION_OUTDATED', '', 403, { downloadUrl: '', requestId: '' })
  expect([error.downloadUrl, error.requestId]).toEqual([undefined, undefined])
})

describe('sentences for customers', () => {
  const messageOf = async (changes: Parameters<ScriptedServer['client']>[0], code = 'LICENSE_BANNED') => {
    const server = new ScriptedServer()
    server.scripts.set('license', { status: 403, code })
    const error: unknown = await server
      .client(changes)
      .license('KEY')
      .catch((error: unknown) => error)
    if (!(error instanceof SignetError)) throw error
    expect(error.message).toBe(`No: ${code}`)
    return error.customerMessage
  }

  test.each([
    ['en', 'en'],
    ['pt', 'pt'],
    ['pt-BR', 'pt'],
    ['es_419', 'es'],
  ] as const)('in %s', async (language, short) => {
    expect(await messageOf({ language: language as 'pt' })).toBe(codes.LICENSE_BANNED.message[short])
  })

  test('are English without a language', async () => {
    expect(await messageOf({})).toBe(codes.LICENSE_BANNED.message.en)
  })

  test('for a code that this version does not know are general', async () => {
    expect(await messageOf({ language: 'es' }, 'A_CODE_OF_TOMORROW')).toBe(codes.INTERNAL_ERROR.message.es)
    expect(await messageOf({ language: 'es' }, 'constructor')).toBe(codes.INTERNAL_ERROR.message.es)
  })

  test('can be your own, for some codes or for all', async () => {
    const own = { LICENSE_BANNED: 'Write to us.' }
    expect(await messageOf({ messages: own })).toBe('Write to us.')
    expect(await messageOf({ messages: own }, 'USER_BANNED')).toBe(codes.USER_BANNED.message.en)
    expect(await messageOf({ messages: own }, 'toString')).toBe(codes.INTERNAL_ERROR.message.en)
    expect(
      await messageOf({ messages: ({ code }) => (code === 'USER_BANNED' ? 'Gone.' : undefined) }, 'USER_BANNED'),
    ).toBe('Gone.')
    expect(await messageOf({ messages: () => undefined, language: 'pt' })).toBe(codes.LICENSE_BANNED.message.pt)
  })
})
