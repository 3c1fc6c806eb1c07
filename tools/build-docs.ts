import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { precompressFiles } from './precompress.ts'
import {
  type Build,
  ensureBuild,
  freshFolder,
  hasBuildTool,
  hashSources,
  isOutdated,
  replaceBuild,
  root,
  runBuild,
} from './outdated.ts'

/** Builds the documentation that the server offers at `/docs` into `dist/docs`. */

const script = fileURLToPath(import.meta.url)
const folder = join(root, 'dist/docs')
const editUrlFile = join(folder, 'edit-url.txt')
const documentation: Build = {
  name: 'The documentation',
  folder,
  built: join(folder, 'script-hashes.json'),
  sources: [
    'docs/**/*.md',
    'docs/images/*',
    'sdks/*/README.md',
    'sdks/typescript/src/codes.ts',
    'site/**/*',
    'src/web/public/**/*',
    'package.json',
    'tools/{build-docs,precompress}.ts',
    'tools/docs/**/*.ts',
    // What the OpenAPI documents are made from.
    'src/features.ts',
    'src/contract/*.ts',
    'src/features/*/*.{contract,errors,open-api,rules}.ts',
    'src/server/http/open-api/*.ts',
  ],
}

/** A server that starts without the setting keeps the links of its build. */
function hasOtherEditUrl(): boolean {
  const wanted = process.env['DOCS_EDIT_URL']
  if (wanted === undefined) return false
  return !existsSync(editUrlFile) || readFileSync(editUrlFile, 'utf8') !== wanted
}

/** Builds it if it is missing or outdated; a server without it has no `/docs`. */
export async function ensureDocs(): Promise<void> {
  if (hasOtherEditUrl() && hasBuildTool()) return runBuild(script)
  await ensureBuild(documentation, script)
}

async function buildDocs(): Promise<void> {
  const sources = hashSources(documentation)
  if (!isOutdated(documentation, sources) && !hasOtherEditUrl()) return
  console.log('Building the documentation…')
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1'
  const fresh = freshFolder(documentation)
  const [collected, files] = [join(root, '.cache/docs-pages'), join(root, '.cache/docs-files')]
  Object.assign(process.env, { DOCS_OUT: fresh, DOCS_PAGES: collected, DOCS_FILES: files })
  rmSync(files, { recursive: true, force: true })
  const { checkedEditUrl, collectPages } = await import('../site/pages.ts')
  const { apiPages } = await import('./docs/api-reference/pages.ts')
  const wanted = process.env['DOCS_EDIT_URL'] ?? ''
  collectPages(collected, { made: apiPages(), editUrl: checkedEditUrl(wanted) })
  // Astro would not render an unchanged page again, and not copy what it links to.
  rmSync(join(root, '.cache/docs'), { recursive: true, force: true })
  const { build } = await import('astro')
  await build({ root: join(root, 'site'), logLevel: 'error' })
  cpSync(files, join(fresh, 'files'), { recursive: true })
  writeFileSync(join(fresh, 'edit-url.txt'), wanted)
  writeFileSync(join(fresh, 'script-hashes.json'), JSON.stringify(inlineScripts(fresh)))
  await precompressFiles(fresh, 5)
  await replaceBuild(documentation, sources, () => {
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
  })
}

/** Hashes of the inline scripts of all pages, for the policy that lets no other run. */
function inlineScripts(site: string): string[] {
  const found = new Set<string>()
  for (const page of globSync('**/*.html', { cwd: site })) {
    for (const [, , code = ''] of readFileSync(join(site, page), 'utf8').matchAll(
      /<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g,
    )) {
      found.add(`sha256-${createHash('sha256').update(code).digest('base64')}`)
    }
  }
  return [...found].toSorted()
}

if (process.argv[1] === script) await buildDocs()
