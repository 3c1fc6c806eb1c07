import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { minifySync, type Plugin, type Rolldown } from 'vite'
import { routePages } from './route-pages.ts'

type Bundle = Rolldown.OutputBundle

/** The chunk of a module and all that it imports statically. */
function filesOf(bundle: Bundle, module: string): string[] {
  const chunks = Object.values(bundle).filter((each) => each.type === 'chunk')
  const entry = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`))
  if (!entry) throw new Error(`No chunk starts with ${module}`)
  const found = new Set([entry.fileName])
  for (const file of found) {
    const chunk = bundle[file]
    if (chunk?.type === 'chunk') for (const each of chunk.imports) found.add(each)
  }
  return [...found]
}

/** Per path of the dashboard, the chunks of its page, as positions in a list of files; without those in the page itself. */
export function pageChunks(bundle: Bundle, page: string): { files: string[]; pages: Record<string, number[]> } {
  const files: string[] = []
  const pages: Record<string, number[]> = {}
  for (const { path, modules } of routePages()) {
    const needed = new Set(modules.flatMap((module) => filesOf(bundle, module)))
    const names = [...needed].filter((file) => !page.includes(file)).map((file) => file.replace(/^assets\/|\.js$/g, ''))
    for (const name of names) if (!files.includes(name)) files.push(name)
    pages[path] = names.map((name) => files.indexOf(name))
  }
  return { files, pages }
}

const scriptElement = '<script src="/start.js"></script>'
const stylesheet = /\s*<link rel="stylesheet"[^>]*href="([^"]+)"[^>]*>/
const fontName = /geist[^"]*\.woff2$/

/**
 * Finishes the built page: its first script knows the chunks of each page and stands in it, so that it runs without
 * another round trip, and the shell in the body is painted before the style sheet has come.
 */
export function startScript(): Plugin {
  let outDir = ''
  return {
    name: 'start-script',
    apply: 'build',
    configResolved({ root, build }) {
      outDir = resolve(root, build.outDir)
    },
    writeBundle(_, bundle) {
      const pagePath = join(outDir, 'index.html')
      const page = readFileSync(pagePath, 'utf8')
      const scriptPath = join(outDir, 'start.js')
      const chunks = JSON.stringify(pageChunks(bundle, page))
      const source = readFileSync(scriptPath, 'utf8').replace(`'__CHUNKS__'`, () => chunks)
      const script = minifySync(scriptPath, source, { module: false }).code
      const styles = stylesheet.exec(page)
      const font = Object.keys(bundle).find((file) => fontName.test(file))
      if (!styles || !font || !page.includes(scriptElement))
        throw new Error('The page lacks its script, style, or font')
      if (/<[!/]/.test(script)) throw new Error('The first script would end its element')
      rmSync(scriptPath)
      const preloads = [
        `<link rel="preload" as="style" crossorigin href="${styles[1]}">`,
        `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`,
      ]
      const finished = page
        .replace(styles[0], `\n    ${preloads.join('\n    ')}`)
        .replace(scriptElement, () => `<script>${script}</script>`)
        .replace('</body>', `${styles[0].trim()}\n  </body>`)
      writeFileSync(pagePath, finished)
    },
  }
}

/** The script in a built page. */
export function firstScript(page = 'dist/web/index.html'): string {
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(readFileSync(page, 'utf8')) ?? []
  if (!script) throw new Error(`${page} has no script in it`)
  return script
}
