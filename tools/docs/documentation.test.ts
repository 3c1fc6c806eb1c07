import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blockProblem, installClients } from '#testing/docs/block-programs.ts'
import { anchorsOf, brokenLinks } from '#testing/docs/links.ts'
import { outputProblem, runBlocksOf } from '#testing/docs/run-blocks.ts'
import { startTestApp, type TestApp } from '#testing/start-test-app.ts'
import { packClients } from '../build-clients.ts'
import { root } from '../outdated.ts'
import { unpackTar } from '../tar.ts'

/** The programs in docs/ run against a real server and print what their page says, and its links lead somewhere. */

const pages = globSync('docs/**/*.md', { cwd: root }).toSorted()
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
const blocks = pages.flatMap((page) => runBlocksOf(page, textOf(page)))

describe('the programs on the pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signet-docs-'))
  let app: TestApp

  beforeAll(async () => {
    installClients(folder, await packClients(), unpackTar)
    app = await startTestApp({ clockRuns: true })
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  test.each(blocks.map((block) => [`${block.page}:${block.line}`, block] as const))('%s', async (_, block) => {
    expect(await blockProblem(block, app, folder)).toBeUndefined()
  })

  test('a program without an output, or with an unknown placeholder or need, is rejected', async () => {
    expect(() => runBlocksOf('page.md', '```sh run\n```\nIt prints:\n```text output\n```\n')).toThrow(/^page\.md:1: /)
    for (const page of ['```sh run\necho YOUR_HOUSE\n', '<!-- needs: a house -->\n```sh run\n']) {
      const [block] = runBlocksOf('page.md', `${page}\`\`\`\n\n\`\`\`text output\n\`\`\`\n`)
      await expect(block && blockProblem(block, app, folder)).rejects.toThrow(/^page\.md:[12]: /)
    }
  })

  test('a program that prints something else is reported with its page and line', async () => {
    const page =
      '<!-- needs: webhook; seller key -->\n\n```sh run\necho "the key YOUR_LICENSE_KEY YOUR_WEBHOOK_ID YOUR_SELLER_KEY"\n```\n\n```text output\nno … at all\n```\n'
    const [block] = runBlocksOf('docs/page.md', page)
    expect(block && (await blockProblem(block, app, folder))).toMatch(
      /^docs\/page\.md:3: the block prints\n\nthe key \S+ wh_\S+ lk_\S+\n/,
    )
  })
})

test('in an output, … stands for anything within a line, and alone for any lines', () => {
  const [block] = runBlocksOf('page.md', '```sh run\n```\n```text output\nruns until … UTC.\n…\nend\n```\n')
  const prints = (printed: string) => block && outputProblem(block, printed) === undefined
  expect(prints('runs until 2026 UTC.\nend\n')).toBe(true)
  expect(prints('runs until 2026 UTC.\none\ntwo\nend')).toBe(true)
  expect(prints('runs until 2026\nUTC.\nend\n')).toBe(false)
  expect(prints('runs until 2026 UTC!\nend\n')).toBe(false)
})

test('every link in docs/ and in README.md leads to a file, and to a heading of it', () => {
  expect(brokenLinks(root, ['README.md', ...pages])).toEqual([])
  expect(anchorsOf('# What *you* `do`\n\n## [A link](x.md), twice\n\n## A link twice\n')).toEqual(
    new Set(['what-you-do', 'a-link-twice', 'a-link-twice-1']),
  )
})

test('each page of the guides has a title, a description of one sentence, and no second title', () => {
  for (const page of globSync('docs/{start,guides}/*.md', { cwd: root })) {
    expect(textOf(page), page).toMatch(/^---\ntitle: \S.*\ndescription: \S.*\.\n---\n\n/)
    expect(textOf(page).replace(/^```[^]*?^```/gm, ''), page).not.toMatch(/^# /m)
  }
})
