import { createElement, type SVGProps } from 'react'

// What an icon of Lucide is made of. The build puts it in the place of their own, a tenth as large, which also takes
// sizes, colors, and widths of lines as properties, and adds classes; a test compares the two.

interface Drawing {
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

const box = {
  xmlns: 'http://www.w3.org/2000/svg',
  width: 24,
  height: 24,
  viewBox: '0 0 24 24',
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 2,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/** The component of an icon; screen readers skip it unless it has a role or a label. */
// oxlint-disable-next-line no-default-export -- the files of the icons import it so
export default function createLucideIcon({ node }: Drawing) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes))
  return (props: SVGProps<SVGSVGElement>) =>
    createElement('svg', { ...box, 'aria-hidden': !(props.role ?? props['aria-label']) || undefined, ...props }, shapes)
}
