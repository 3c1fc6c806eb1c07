import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Relative links of Markdown pages, as GitHub follows them. */

const withoutCode = (text: string) => text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, '')

/** Targets of links and images, without those to other hosts. */
function relativeLinks(text: string): string[] {
  const found = withoutCode(text).matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)|^\[[^\]]+\]: (\S+)|(?:href|src)="([^"]+)"/gm)
  const targets = [...found].map(([, inline, defined, html]) => inline ?? defined ?? html ?? '')
  return targets.filter((target) => !/^[a-z][a-z0-9+.-]*:/i.test(target))
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.replace(/^```[^]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const shown = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = shown.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '').replaceAll(' ', '-')
    let unique = anchor
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`
    anchors.add(unique)
  }
  return anchors
}

/** Links that lead to no file, or to no heading of a page. Paths are relative to `root`. */
export function brokenLinks(root: string, pages: readonly string[]): string[] {
  const read = (page: string) => readFileSync(join(root, page), 'utf8')
  return pages.flatMap((page) =>
    relativeLinks(read(page))
      .filter((target) => !leadsSomewhere(page, target))
      .map((target) => `${page}: ${target}`),
  )

  function leadsSomewhere(page: string, target: string): boolean {
    const [path = '', anchor] = decodeURI(target).split('#')
    // A path from the top means another place on GitHub than on a site.
    if (path.startsWith('/')) return false
    const file = path === '' ? page : join(dirname(page), path)
    if (!existsSync(join(root, file))) return false
    return anchor === undefined || !file.endsWith('.md') || anchorsOf(read(file)).has(anchor)
  }
}
