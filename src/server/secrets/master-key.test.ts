import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { MasterKey } from './master-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'signet-key-'))
afterAll(() => rmSync(folder, { recursive: true }))

const key = new MasterKey(Buffer.alloc(32, 7))
const context = 'apps|root_private_sealed|app_1'
const rejected = /unable to authenticate|invalid (authentication tag|initialization vector)/i
const bytesOf = (sealed: string) => Buffer.from(sealed.slice(3), 'base64url')

describe('sealing (R-SEC-01)', () => {
  test('any sealed value can be opened again, and sealing it twice gives different bytes', () => {
    for (const plain of ['', 'secret', 'ünïcödé 🦊\0', Buffer.from([0, 255, 1]), Buffer.alloc(100_000, 3)]) {
      expect(key.open(key.seal(plain, context), context)).toEqual(Buffer.from(plain as string))
    }
    expect(key.seal('secret', context)).not.toBe(key.seal('secret', context))
    expect(bytesOf(key.seal('the secret', context)).includes('the secret')).toBe(false)
  })

  test("a sealed value moved to another row can't be opened", () => {
    const sealed = key.seal('secret', context)
    for (const other of ['apps|root_private_sealed|app_2', 'apps|box_private_sealed|app_1', '', `${context} `]) {
      expect(() => key.open(sealed, other)).toThrow(rejected)
    }
  })

  test('detects a change of any byte', () => {
    const sealed = bytesOf(key.seal('secret', context))
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed)
      changed[index] = (changed[index] as number) ^ 1
      expect(() => key.open(`v1.${changed.toString('base64url')}`, context), `byte ${index}`).toThrow(rejected)
    }
  })

  test('detects a truncation, an addition, random data, and another key', () => {
    const sealed = key.seal('secret', context)
    const bytes = bytesOf(sealed)
    for (const length of [0, 1, 11, 12, 27, bytes.length - 1]) {
      expect(
        () => key.open(`v1.${bytes.subarray(0, length).toString('base64url')}`, context),
        `${length} bytes`,
      ).toThrow(rejected)
    }
    expect(() => key.open(`v1.${Buffer.concat([bytes, Buffer.from([0])]).toString('base64url')}`, context)).toThrow(
      rejected,
    )
    for (const text of ['', 'v1.', 'v1.!!!', 'plain text']) expect(() => key.open(text, context)).toThrow(rejected)
    expect(() => new MasterKey(Buffer.alloc(32, 8)).open(sealed, context)).toThrow(rejected)
  })

  test('each purpose has its own key', () => {
    expect(key.derive('csrf')).toEqual(key.derive('csrf'))
    expect(key.derive('csrf')).not.toEqual(key.derive('other'))
    expect(key.derive('csrf')).not.toEqual(Buffer.alloc(32, 7))
    for (const purpose of ['csrf', 'other', 'csrf']) expect(key.macKey(purpose).export()).toEqual(key.derive(purpose))
  })
})

const created = (file: string): MasterKey => {
  expect(MasterKey.create(file)).toBe(true)
  return MasterKey.read(file)
}

describe('the key file', () => {
  test('is created with access for its owner only, and nothing beside it', () => {
    const file = join(folder, 'fresh', 'deeper', 'master.key')
    const made = created(file)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect((statSync(join(folder, 'fresh', 'deeper')).mode & 0o777).toString(8)).toBe('700')
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}\n$/)
    expect(readdirSync(join(folder, 'fresh', 'deeper'))).toEqual(['master.key'])
    expect(MasterKey.read(file).open(made.seal('x', context), context).toString()).toBe('x')
  })

  test('is never replaced', () => {
    const file = join(folder, 'first.key')
    const first = created(file)
    expect(MasterKey.create(file)).toBe(false)
    expect(MasterKey.read(file).checkValue).toBe(first.checkValue)
  })

  test('differs between any two installations', () => {
    const [one, two] = ['one.key', 'two.key'].map((name) => created(join(folder, name)))
    expect(one?.derive('x')).not.toEqual(two?.derive('x'))
    expect(one?.checkValue).not.toBe(two?.checkValue)
  })

  test.each(['', 'short', 'A'.repeat(42), 'A'.repeat(44)])('with the content %j is rejected by name', (content) => {
    const file = join(folder, 'broken.key')
    writeFileSync(file, content)
    expect(() => MasterKey.read(file)).toThrow(`${file} must be 32 bytes`)
    expect(readFileSync(file, 'utf8')).toBe(content)
  })

  test("is named in the error if it is missing or can't be read", () => {
    const file = join(folder, 'a-folder.key')
    expect(() => MasterKey.read(file)).toThrow(`${file} is missing`)
    mkdirSync(file)
    expect(() => MasterKey.read(file)).toThrow(`${file} can't be read (EISDIR`)
    expect(() => MasterKey.create(join(file, '..', 'first.key', 'master.key'))).toThrow("can't be created (")
  })
})
