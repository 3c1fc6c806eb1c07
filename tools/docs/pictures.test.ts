import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../outdated.ts'
import { maxPictureBytes, pictures, pictureThemes } from './pictures.ts'

const read = (page: string) => readFileSync(join(root, page), 'utf8')

test('every picture exists in both themes, is small, and no other file is in its folder', () => {
  const files = pictures.flatMap(({ name }) => pictureThemes.map((theme) => `${name}-${theme}.webp`))
  expect(globSync('*', { cwd: join(root, 'docs/images') }).toSorted()).toEqual(files.toSorted())
  for (const file of files) {
    const path = join(root, 'docs/images', file)
    expect(statSync(path).size, file).toBeLessThanOrEqual(maxPictureBytes)
    expect(readFileSync(path).subarray(8, 12).toString(), file).toBe('WEBP')
  }
})

test('the light and the dark picture differ', () => {
  for (const { name } of pictures) {
    const [light, dark] = pictureThemes.map((theme) => readFileSync(join(root, `docs/images/${name}-${theme}.webp`)))
    expect(light && dark && light.equals(dark), name).toBe(false)
  }
})

test('the pages show the pictures that the list names for them, each with a description', () => {
  const shown = new Set<string>()
  for (const page of ['README.md', ...globSync('docs/**/*.md', { cwd: root })]) {
    const text = read(page)
    for (const [, name = ''] of text.matchAll(/images\/([\w-]+)-light\.webp/g)) shown.add(`${page}: ${name}`)
    for (const [, alt = ''] of text.matchAll(/!\[([^\]]*)\]\(/g)) expect(alt.length, page).toBeGreaterThan(20)
  }
  const listed = pictures.flatMap(({ name, pages }) => pages.map((page) => `${page}: ${name}`))
  expect([...shown].toSorted()).toEqual(listed.toSorted())
  for (const { pages } of pictures) for (const page of pages) expect(existsSync(join(root, page)), page).toBe(true)
})
