import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strangeTexts } from '#testing/faults/hostile-input.ts'
import { newLicenses, newOwnerWithApp, type OwnedApp } from '#testing/people/people.ts'
import { Program } from '#testing/people/program.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'

let app: TestApp
let owner: OwnedApp

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwnerWithApp(app)
})
afterAll(() => app.close())

async function found(search: string): Promise<string[]> {
  const { status, body } = await owner.visitor.call('GET /licenses', { query: { search, limit: 100 } })
  expect(status, search).toBe(200)
  expect(body.total, search).toBe(body.licenses.length)
  return body.licenses.map(({ license }) => license).toSorted()
}

/** Results must not depend on how far the search index has been updated. */
async function foundAlways(search: string): Promise<string[]> {
  const before = await found(search)
  await app.db.searchSettled()
  expect(await found(search), search).toEqual(before)
  return before
}

const newLicense = async (notes: string) => (await newLicenses(owner, 1, { notes }))[0] as string
const edit = (licenseKey: string, notes: string) =>
  owner.visitor.call('POST /update_license', { body: { licenseKey, notes } })

describe('a license can be found', () => {
  test('as soon as it is created, and after the index has caught up', async () => {
    const key = await newLicense('just made')
    for (const text of [key, key.slice(3, 9), 'just made', 'ust ma']) expect(await found(text)).toEqual([key])
    await app.db.searchSettled()
    for (const text of [key, key.slice(3, 9), 'just made', 'ust ma']) expect(await found(text)).toEqual([key])
  })

  test('regardless of case', async () => {
    const key = await newLicense('Spring Sale')
    expect(await foundAlways('spring sale')).toEqual([key])
    expect(await foundAlways('SPRING')).toEqual([key])
    expect(await foundAlways(key.toUpperCase())).toEqual([key])
  })

  test.each([
    ['ß für Ärger', ['ä', 'Ä', 'FÜ', 'üR']],
    ['Ωμέγα', ['ω', 'Ωμ', 'ΩΜ', 'Γα']],
    ['ЖУК', ['ж', 'жу', 'Ук']],
  ])('by one or two characters of %s regardless of case, in any alphabet', async (notes, texts) => {
    const key = await newLicense(notes)
    for (const text of texts) expect(await foundAlways(text), text).toContain(key)
  })

  test('by one or two characters, which are too short for a trigram', async () => {
    const key = await newLicense('a ¶ sign')
    expect(await foundAlways('¶')).toEqual([key])
    expect(await foundAlways('¶ ')).toEqual([key])
    expect(await foundAlways('a ¶')).toEqual([key])
  })

  test.each(strangeTexts)('by its note %j and any part of it, literally', async (notes) => {
    const key = await newLicense(`<${notes}>`)
    const characters = [...`<${notes}>`]
    for (const part of [
      characters,
      characters.slice(0, 3),
      characters.slice(-3),
      characters.slice(1, 5),
      characters.slice(0, 2),
    ]) {
      if (part.join('') === part.join('').trim()) expect(await foundAlways(part.join(''))).toContain(key)
    }
    expect(await foundAlways(`<${notes}>`)).toEqual([key])
  })

  test.each([
    '%',
    '_',
    '%%%',
    '___',
    '50%',
    'a_c',
    '\\',
    '\\%',
    `'`,
    `"`,
    `""`,
    `'"'`,
    '*',
    'abc*',
    '^x',
    'x AND y',
    'x OR y',
    'NEAR(x y)',
    'notes:x',
    '(',
    '-x',
    '+',
  ])('%j has no special meaning', async (text) => {
    const key = await newLicense(`left ${text} right`)
    await newLicense('left aXc 50 other right')
    const hits = await foundAlways(text)
    expect(hits).toContain(key)
    const { body } = await owner.visitor.call('GET /licenses', { query: { search: text, limit: 100 } })
    for (const { license, notes } of body.licenses)
      expect(`${license} ${notes}`.toLowerCase()).toContain(text.toLowerCase())
  })

  test('by its new text after an edit, and no longer by the old', async () => {
    const key = await newLicense('first words')
    await app.db.searchSettled()
    await edit(key, 'second words')
    expect([await found('first words'), await found('second words')]).toEqual([[], [key]])
    await app.db.searchSettled()
    expect([await found('first words'), await found('second words')]).toEqual([[], [key]])
    await edit(key, '')
    expect(await foundAlways('second words')).toEqual([])
    expect(await foundAlways(key)).toEqual([key])
  })

  test('by the user who redeemed it, from the redemption on', async () => {
    const key = await newLicense('')
    await app.db.searchSettled()
    expect(await foundAlways('zoe.winter')).toEqual([])
    const program = await Program.of(app, owner)
    await program.init()
    expect((await program.register('Zoe.Winter', 'Password-of-zoe', key)).body.success).toBe(true)
    expect(await foundAlways('zoe.winter')).toEqual([key])
    expect(await foundAlways('WINTER')).toEqual([key])
  })

  test('until it is deleted', async () => {
    const [gone, stays] = [await newLicense('twins'), await newLicense('twins')]
    await app.db.searchSettled()
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: gone } })
    expect(await found('twins')).toEqual([stays])
    expect(await found(gone)).toEqual([])
    await app.db.searchSettled()
    expect(await found('twins')).toEqual([stays])
  })

  test('even if it was created, edited, and deleted while nothing was indexed', async () => {
    const [edited, gone] = [await newLicense('fleeting'), await newLicense('fleeting')]
    await edit(edited, 'lasting')
    await owner.visitor.call('POST /delete_license', { body: { licenseKey: gone } })
    expect(await foundAlways('fleeting')).toEqual([])
    expect(await foundAlways('lasting')).toEqual([edited])
  })

  test('with spaces around the text, as in pasted text', async () => {
    const key = await newLicense('pasted')
    expect(await foundAlways('  pasted ')).toEqual([key])
  })

  test('only in its own app', async () => {
    const key = await newLicense('only here')
    const other = await newOwnerWithApp(app)
    await app.db.searchSettled()
    for (const search of [key, 'only here', 'o']) {
      expect((await other.visitor.call('GET /licenses', { query: { search } })).body.licenses).toEqual([])
    }
  })
})

test('a search finds exactly the licenses that contain the text, after any changes, indexed or not', async () => {
  const words = fc.constantFrom('alpha', 'beta', 'Gamma', '100%', 'x_y', `it's`, '日本語', '🦊 fox', 'a"b')
  const notes = fc.array(words, { maxLength: 3 }).map((each) => each.join(' '))
  const step = fc.oneof(
    fc.record({ kind: fc.constant('make' as const), notes }),
    fc.record({ kind: fc.constant('edit' as const), at: fc.nat(20), notes }),
    fc.record({ kind: fc.constant('delete' as const), at: fc.nat(20), notes }),
    fc.record({ kind: fc.constant('settle' as const), notes }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 12 }),
      fc.array(words, { minLength: 1, maxLength: 3 }),
      async (steps, texts) => {
        await owner.visitor.call('POST /delete_all_licenses', { body: {} })
        app.advance(60)
        const rows = new Map<string, string>()
        for (const each of steps) {
          const key = 'at' in each ? [...rows.keys()][each.at % Math.max(1, rows.size)] : undefined
          if (each.kind === 'make') rows.set(await newLicense(each.notes), each.notes)
          else if (each.kind === 'settle') await app.db.searchSettled()
          else if (key !== undefined && each.kind === 'edit') {
            await edit(key, each.notes)
            rows.set(key, each.notes)
          } else if (key !== undefined) {
            await owner.visitor.call('POST /delete_license', { body: { licenseKey: key } })
            rows.delete(key)
          }
        }
        for (const text of texts) {
          const holds = ([key, note]: [string, string]) => `${key}\n${note}`.toLowerCase().includes(text.toLowerCase())
          expect(await foundAlways(text)).toEqual(
            [...rows]
              .filter(holds)
              .map(([key]) => key)
              .toSorted(),
          )
        }
      },
    ),
    { numRuns: 15 },
  )
})
