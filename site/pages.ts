import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dirname)

/** Pages below `docs/`; its other files are for people who work on Signet. */
const patterns = ['index.md', '{start,guides,operate,reference}/**/*.md', '{seller-api,protocol,alerts}.md']

/** What each client's package says about itself. */
const clients = ['python', 'typescript', 'csharp', 'cpp', 'conformance']

/** Files of the repository that are pages, each with its place on the site. */
export const pages: ReadonlyMap<string, string> = new Map([
  ...globSync(patterns, { cwd: join(root, 'docs') }).map((path) => [`docs/${path}`, path] as const),
  ...clients.map((name) => [`sdks/${name}/README.md`, `clients/${name}.md`] as const),
])

/** Address of a place, such as `/docs/start/quick-start-python/` of `start/quick-start-python.md`. */
export const addressOf = (place: string): string =>
  `/docs/${place.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '/')}`

/** Writes all pages into one folder, from which the site is built. */
export function collectPages(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
  for (const [file, place] of pages) {
    const target = join(folder, place)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, withFrontMatter(readFileSync(join(root, file), 'utf8'), file))
  }
}

/** A page says its title in front matter; a README of a package in its first heading. */
function withFrontMatter(text: string, file: string): string {
  if (text.startsWith('---\n')) return text
  const [, title, rest = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  if (title === undefined) throw new Error(`${file} has no title`)
  return `---\ntitle: ${JSON.stringify(title)}\n---\n${rest}`
}
