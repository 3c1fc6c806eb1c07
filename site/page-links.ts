import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { MdastPluginEntry } from 'satteri'
import { packTar } from '../tools/tar.ts'
import { addressOf, pages } from './pages.ts'

const root = dirname(import.meta.dirname)

interface Folders {
  /** Where `collectPages` wrote the pages. */
  collected: string
  /** Receives the files of the repository that pages link to. */
  files: string
}

/**
 * Links between pages are relative paths of files, so that they also work where the repository is read. On the site
 * they lead to the pages; links to other files lead to copies, those to folders to archives.
 */
export function pageLinks({ collected, files }: Folders): MdastPluginEntry {
  const fileOfPlace = new Map([...pages].map(([file, place]) => [place, file]))
  return {
    name: 'page-links',
    link(node, context) {
      const [target = '', anchor] = node.url.split('#')
      if (target === '' || target.startsWith('/') || URL.canParse(target)) return
      if (!context.fileURL) throw new Error(`Which page links to ${node.url}?`)
      const page = fileOfPlace.get(relative(collected, fileURLToPath(context.fileURL))) ?? ''
      const file = join(dirname(page), target).replace(/\/$/, '')
      if (!existsSync(join(root, file))) throw new Error(`${page} links to ${node.url}, which is missing`)
      const place = pages.get(file)
      const address = place === undefined ? copyOf(file, files) : addressOf(place)
      context.setProperty(node, 'url', anchor === undefined ? address : `${address}#${anchor}`)
    },
  }
}

function copyOf(file: string, files: string): string {
  mkdirSync(files, { recursive: true })
  const name = file.replaceAll('/', '-')
  const path = join(root, file)
  if (!statSync(path).isDirectory()) {
    copyFileSync(path, join(files, name))
    return `/docs/files/${name}`
  }
  const inside = globSync('**/*', { cwd: path, withFileTypes: true, exclude: ['**/{build,bin,obj,node_modules}'] })
  const entries = inside
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((each) => [relative(dirname(path), each), readFileSync(each)] as const)
  writeFileSync(join(files, `${name}.tar.gz`), gzipSync(packTar(new Map(entries))))
  return `/docs/files/${name}.tar.gz`
}
