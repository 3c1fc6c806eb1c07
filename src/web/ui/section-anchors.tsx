import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'

export interface Anchor {
  /** `anchor` of its Section. */
  id: string
  title: string
}

/** What the top bar, and the line of anchors below it, cover of a scrolled page. */
const coveredPx = 120

function isInView(id: string): boolean {
  const { top = -1, bottom = Infinity } = document.getElementById(id)?.getBoundingClientRect() ?? {}
  return top >= 0 && bottom <= window.innerHeight
}

/** A section that was clicked, and what that made of the page. */
interface Chosen {
  id: string
  scrollY: number
  pageHeight: number
}

const pageHeight = () => document.documentElement.scrollHeight

/** The last section that has reached the top. At the end of the page several may be too short to reach it. */
function sectionInView(ids: readonly string[], chosen: Chosen | undefined): string | undefined {
  if (chosen?.scrollY === window.scrollY) return chosen.id
  const isAtEnd = Math.ceil(window.scrollY + window.innerHeight) >= pageHeight()
  // A page that has grown since was moved by the browser, not by the reader, and may have its end further down.
  const isAsChosen = chosen && (isAtEnd || pageHeight() !== chosen.pageHeight) && isInView(chosen.id)
  if (isAsChosen && window.scrollY > 0) return chosen.id
  if (isAtEnd && window.scrollY > 0) return ids.at(-1)
  const reached = ids.filter(
    (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) <= coveredPx,
  )
  return reached.at(-1) ?? ids[0]
}

/** Marks the section that is read; at the end of the page the chosen one. */
function useCurrentSection(anchors: readonly Anchor[]) {
  const ids = anchors.map(({ id }) => id).join(' ')
  const [current, setCurrent] = useState(anchors[0]?.id)
  const chosen = useRef<Chosen>(undefined)
  useEffect(() => {
    const follow = () => setCurrent(sectionInView(ids.split(' '), chosen.current))
    window.addEventListener('scroll', follow, { passive: true })
    return () => window.removeEventListener('scroll', follow)
  }, [ids])
  const choose = (id: string) => {
    chosen.current = { id, scrollY: window.scrollY, pageHeight: pageHeight() }
    setCurrent(id)
  }
  return { current, choose }
}

function goTo(id: string): boolean {
  const section = id === '' ? null : document.getElementById(id)
  if (!section) return false
  section.scrollIntoView()
  section.focus({ preventScroll: true })
  return true
}

/**
 * The sections of a long page: a column that stays in view, and where there is no space for it a line that scrolls
 * sideways. The page gives it its place in the grid, and `[--anchors:44px]` to its sections where it is a line.
 */
export function SectionAnchors({ anchors }: { anchors: readonly Anchor[] }) {
  const { current, choose } = useCurrentSection(anchors)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    goTo(window.location.hash.slice(1))
  }, [])
  useEffect(() => {
    const line = list.current
    const link = line?.querySelector<HTMLElement>('[aria-current=true]')
    if (line && link) line.scrollLeft = link.offsetLeft - (line.clientWidth - link.clientWidth) / 2
  }, [current])
  return (
    <nav
      aria-label={t`Sections`}
      data-print="no"
      className="sticky top-[calc(48px+var(--strip))] z-30 -mx-4 min-w-0 border-b border-line bg-surface-0 px-4 md:-mx-6 md:px-6 wide:top-[calc(68px+var(--strip))] wide:mx-0 wide:border-0 wide:px-0"
    >
      <ul
        ref={list}
        className="relative flex gap-1 overflow-x-auto py-1.5 [scrollbar-width:none] wide:flex-col wide:overflow-visible wide:py-0"
      >
        {anchors.map(({ id, title }) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              aria-current={id === current}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                // The router would take another hash for another page, and ask about unsaved edits.
                event.preventDefault()
                if (goTo(id)) choose(id)
              }}
              className="flex h-8 items-center rounded-md px-2.5 text-ui text-text-2 -outline-offset-2 hover:text-text aria-[current=true]:bg-surface-2 aria-[current=true]:font-medium aria-[current=true]:text-text pointer-coarse:h-11"
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
