import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { MdastPluginEntry } from 'satteri'
import { pictureSize, pictureThemes } from '../tools/docs/pictures.ts'

const images = join(import.meta.dirname, '../docs/images')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/**
 * A page names the light picture, `images/<name>-light.webp`, which is also right where the repository is read. On the
 * site it changes with the theme, is loaded when it comes into view, and has its size, so that nothing jumps.
 */
export function themedPictures({ files }: { files: string }): MdastPluginEntry {
  return {
    name: 'themed-pictures',
    image(node, context) {
      const [, name] = /^(.+)-light\.webp$/.exec(basename(node.url)) ?? []
      if (name === undefined) throw new Error(`${node.url} is no picture of tools/docs/pictures.ts`)
      mkdirSync(files, { recursive: true })
      const { width, height } = pictureSize
      const shown = pictureThemes.map((theme) => {
        const file = `${name}-${theme}.webp`
        if (!existsSync(join(images, file))) throw new Error(`docs/images/${file} is missing`)
        copyFileSync(join(images, file), join(files, file))
        const hidden = theme === 'light' ? 'dark:sl-hidden' : 'light:sl-hidden'
        const alt = escaped(node.alt ?? '')
        return `<img class="${hidden}" src="/docs/files/${file}" alt="${alt}" width="${width}" height="${height}" loading="lazy">`
      })
      context.replaceNode(node, { type: 'html', value: shown.join('') })
    },
  }
}
