import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  brandTokens,
  contrastRatio,
  minEdgeContrast,
  minTextContrast,
  schemeColors,
  surfaces,
} from './branding.rules.ts'
import { defaultPrimaryColor, defaultSecondaryColor } from './resellers.rules.ts'

const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('contrast follows WCAG', () => {
  expect(contrastRatio('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrastRatio('#777777', '#FFFFFF')).toBeCloseTo(4.478, 2)
})

test('with any colors of a reseller, text and edges keep their contrast in both themes', () => {
  const known = ['#000000', '#ffffff', '#090b0a', '#e3e9e5', '#1bff00', '#8B5CF6', '#0000ff', '#ff0000', '#ffff00']
  fc.assert(
    fc.property(colors, colors, fc.constantFrom('dark', 'light'), (primaryColor, secondaryColor, scheme) => {
      const made = schemeColors({ primaryColor, secondaryColor }, scheme)
      for (const surface of surfaces[scheme]) {
        expect(contrastRatio(made.accentText, surface)).toBeGreaterThanOrEqual(minTextContrast)
        expect(contrastRatio(made.secondaryText, surface)).toBeGreaterThanOrEqual(minTextContrast)
        expect(contrastRatio(made.accentEdge, surface)).toBeGreaterThanOrEqual(minEdgeContrast)
      }
      expect(contrastRatio(made.onAccent, made.accent)).toBeGreaterThanOrEqual(minTextContrast)
    }),
    {
      numRuns: 1000,
      examples: known.flatMap((color) => [
        [color, color, 'dark'],
        [color, color, 'light'],
      ]),
    },
  )
})

test('a color with enough contrast stays unchanged, and a correction keeps the hue', () => {
  const chosen = { primaryColor: defaultPrimaryColor, secondaryColor: defaultSecondaryColor }
  expect(schemeColors(chosen, 'dark')).toMatchObject({ accentText: '#1bff00', accentEdge: '#1bff00' })
  const [red, green, blue] = [1, 3, 5].map((at) =>
    Number.parseInt(schemeColors(chosen, 'light').accentText.slice(at, at + 2), 16),
  ) as [number, number, number]
  expect(green).toBeGreaterThan(red + 40)
  expect(green).toBeGreaterThan(blue + 40)
})

test('the surfaces and tokens match the style sheet', () => {
  const styles = readFileSync(new URL('../../web/styles.css', import.meta.url), 'utf8')
  surfaces.light.forEach((light, at) =>
    expect(styles).toContain(`--color-surface-${at}: light-dark(${light}, ${surfaces.dark[at]});`),
  )
  const tokens = brandTokens({ primaryColor: '#123456', secondaryColor: '#fedcba' })
  for (const name of Object.keys(tokens)) expect(styles).toContain(`${name}:`)
})
