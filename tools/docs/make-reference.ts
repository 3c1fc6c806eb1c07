import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errorPages } from './error-pages.ts'
import { limitsPage } from './limits-page.ts'
import { webhookEventsPage } from './webhook-events-page.ts'
import { webhookPayloads } from './webhook-payloads.ts'

/** `node tools/docs/make-reference.ts`: writes the reference from the code. With `--check`, names the old pages. */

const reference = join(import.meta.dirname, '../../docs/reference')

/** Pages of a folder that has no others, so that the page of a code that no longer exists is noticed. */
const generatedOnly = 'errors/*.md'

/** The generated pages: path within docs/reference, and content. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    ...errorPages(),
    'limits.md': limitsPage(),
    'webhook-events.md': webhookEventsPage(await webhookPayloads()),
  }
}

const leftOver = (pages: Record<string, string>): string[] =>
  globSync(generatedOnly, { cwd: reference }).filter((path) => !Object.hasOwn(pages, path))

/** Paths of the pages that differ from what this tool writes. */
export function outdatedPages(pages: Record<string, string>): string[] {
  const outdated = Object.entries(pages).flatMap(([path, content]) => {
    const file = join(reference, path)
    return existsSync(file) && readFileSync(file, 'utf8') === content ? [] : [path]
  })
  return [...outdated, ...leftOver(pages)].map((path) => `docs/reference/${path}`)
}

async function writePages(): Promise<void> {
  const pages = await referencePages()
  for (const [path, content] of Object.entries(pages)) {
    const file = join(reference, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  for (const path of leftOver(pages)) rmSync(join(reference, path))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) {
    const outdated = outdatedPages(await referencePages())
    for (const path of outdated) console.log(path)
    process.exitCode = outdated.length === 0 ? 0 : 1
  } else await writePages()
}
