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

interface PagesToCollect {
  /** Pages without a file in the repository: place and content. */
  made: Readonly<Record<string, string>>
  /** Where the files of the repository are edited, without a slash at the end; without it, pages have no link to it. */
  editUrl: string | undefined
}

/** Writes all pages into one folder, from which the site is built. */
export function collectPages(folder: string, { made, editUrl }: PagesToCollect): void {
  rmSync(folder, { recursive: true, force: true })
  const write = (place: string, content: string) => {
    const target = join(folder, place)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content)
  }
  for (const [file, place] of pages) {
    const text = withFrontMatter(readFileSync(join(root, file), 'utf8'), file)
    write(place, editUrl && !isGenerated(file) ? withEditLink(text, `${editUrl}/${file}`) : text)
  }
  for (const [place, content] of Object.entries(made)) write(place, content)
}

/** Pages that tools/docs writes: changes to them would be lost. */
const isGenerated = (file: string): boolean => /^docs\/(?:reference\/|start\/quick-start-)/.test(file)

const withEditLink = (text: string, url: string): string => text.replace('\n', `\neditUrl: ${JSON.stringify(url)}\n`)

/** The address in `DOCS_EDIT_URL`, without slashes at the end. Throws if it is none. */
export function checkedEditUrl(address: string | undefined): string | undefined {
  if (!address) return undefined
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
    throw new Error('DOCS_EDIT_URL must be an address such as https://code.example.com/signet/edit/main')
  }
  return address.replace(/\/+$/, '')
}

/** A page says its title in front matter; a README of a package in its first heading. */
function withFrontMatter(text: string, file: string): string {
  if (text.startsWith('---\n')) return text
  const [, title, rest = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? []
  if (title === undefined) throw new Error(`${file} has no title`)
  return `---\ntitle: ${JSON.stringify(title)}\n---\n${rest}`
}
