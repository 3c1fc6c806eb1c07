/**
 * Adjusts a reseller's brand colors for the screens: for any chosen color, text keeps a contrast of 4.5 and
 * edges keep 3 (WCAG 2.2, 1.4.3 and 1.4.11). Runs in the server and the dashboard.
 */

export type ColorScheme = 'dark' | 'light'

/** Background colors behind text; the same values as in styles.css. */
export const surfaces: Record<ColorScheme, readonly string[]> = {
  dark: ['#090b0a', '#0f1211', '#161a18', '#1e2421'],
  light: ['#f6f8f6', '#ffffff', '#eef2ef', '#e3e9e5'],
}

export const minTextContrast = 4.5
export const minEdgeContrast = 3

type Channels = readonly [number, number, number]

/** Channels of a `#rrggbb` color, each from 0 to 1. */
function channelsOf(color: string): Channels {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255]
}

const hexOf = (channels: Channels): string =>
  `#${channels
    .map((channel) =>
      Math.round(Math.min(Math.max(channel, 0), 1) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

const toLinear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const toGamma = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * Math.max(channel, 0) ** (1 / 2.4) - 0.055

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color).map(toLinear) as unknown as Channels
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** WCAG 2.2 contrast ratio, from 1 to 21. */
export function contrastRatio(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function oklabOf(color: string): Channels {
  const [r, g, b] = channelsOf(color).map(toLinear) as unknown as Channels
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function hexOfOklab([lightness, a, b]: Channels): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return hexOf([
    toGamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toGamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toGamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ])
}

/** 12% of the color over a surface: the background of badges. */
const tint = (color: string, surface: string): string => {
  const under = channelsOf(surface)
  return hexOf(
    channelsOf(color).map((channel, at) => channel * 0.12 + (under[at] as number) * 0.88) as unknown as Channels,
  )
}

const steps = 50

/** Keeps the hue and changes the color only as far as contrast requires: lighter in dark mode, darker in light mode. */
function withContrast(color: string, scheme: ColorScheme, isEnough: (candidate: string) => boolean): string {
  const [lightness, a, b] = oklabOf(color)
  const end = scheme === 'dark' ? 1 : 0
  for (let step = 0; step < steps; step += 1) {
    const share = step / steps
    const candidate =
      step === 0
        ? color.toLowerCase()
        : hexOfOklab([lightness + (end - lightness) * share, a * (1 - share), b * (1 - share)])
    if (isEnough(candidate)) return candidate
  }
  return scheme === 'dark' ? '#ffffff' : '#000000'
}

const asText = (color: string, scheme: ColorScheme): string =>
  withContrast(color, scheme, (text) =>
    [...surfaces[scheme], tint(text, surfaces[scheme][1] as string)].every(
      (surface) => contrastRatio(text, surface) >= minTextContrast,
    ),
  )

const asEdge = (color: string, scheme: ColorScheme): string =>
  withContrast(color, scheme, (edge) =>
    surfaces[scheme].every((surface) => contrastRatio(edge, surface) >= minEdgeContrast),
  )

const [ink, paper] = ['#051b00', '#ffffff'] as const

/** Dark or white text, whichever has the higher contrast on the color. */
const textOn = (color: string): string => {
  const dark = contrastRatio(ink, color) >= minTextContrast ? ink : '#000000'
  return contrastRatio(dark, color) >= contrastRatio(paper, color) ? dark : paper
}

/** Colors as `#rrggbb`. */
export interface BrandColors {
  primaryColor: string
  secondaryColor: string
}

/** Brand colors by use in one color scheme. */
export interface SchemeColors {
  /** For fills; text on them uses `onAccent`. */
  accent: string
  onAccent: string
  accentEdge: string
  accentText: string
  secondaryText: string
}

export const schemeColors = ({ primaryColor, secondaryColor }: BrandColors, scheme: ColorScheme): SchemeColors => ({
  accent: primaryColor.toLowerCase(),
  onAccent: textOn(primaryColor),
  accentEdge: asEdge(primaryColor, scheme),
  accentText: asText(primaryColor, scheme),
  secondaryText: asText(secondaryColor, scheme),
})

/** The color tokens of styles.css in a brand's colors, for a `style` attribute; they work in both themes. */
export function brandTokens(colors: BrandColors): Record<`--color-${string}`, string> {
  const [dark, light] = [schemeColors(colors, 'dark'), schemeColors(colors, 'light')]
  const both = (name: keyof SchemeColors) => `light-dark(${light[name]}, ${dark[name]})`
  return {
    '--color-accent': dark.accent,
    '--color-on-accent': dark.onAccent,
    '--color-accent-edge': both('accentEdge'),
    '--color-accent-text': both('accentText'),
    '--color-focus': both('accentEdge'),
    '--color-violet': both('secondaryText'),
  }
}
