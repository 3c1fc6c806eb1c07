import { t } from '@lingui/core/macro'
import { Menu as MenuIcon } from 'lucide-react'
import { useRouterState } from '@tanstack/react-router'
import { useIsKeyboardOpen } from '../browser/on-screen-keyboard.ts'
import type { NavItem } from './nav-items.tsx'
import { NavLink } from './nav-link.tsx'

interface BottomBarProps {
  /** The pages used most; the last place is that of the drawer. */
  items: readonly NavItem[]
  onMore: () => void
}

/** Places are equally wide, unless a name needs more. */
const look = [
  'relative flex h-14 min-w-0 flex-1 min-[360px]:min-w-max flex-col items-center justify-center gap-0.5 px-1 text-meta text-text-2',
  '-outline-offset-2 [&_svg]:size-5 [&_svg]:shrink-0 [&>span]:grow-0',
  'aria-[current=page]:font-medium aria-[current=page]:text-text aria-[current=page]:[&_svg]:text-accent-text',
  'aria-[current=page]:before:absolute aria-[current=page]:before:inset-x-4 aria-[current=page]:before:-top-px',
  'aria-[current=page]:before:h-0.5 aria-[current=page]:before:bg-accent-edge',
].join(' ')

/** Main pages within reach of the thumb, on phones. */
export function BottomBar({ items, onMore }: BottomBarProps) {
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const isOnOther = items.every(({ to, isFor = [] }) => pathname !== to && !isFor.includes(pathname))
  if (useIsKeyboardOpen()) return null
  return (
    <nav
      aria-label={t`Main pages`}
      data-bottom-bar=""
      className="fixed inset-x-0 bottom-0 z-40 flex border-t border-line bg-surface-0 pb-(--safe-bottom)"
    >
      {items.map((item) => (
        <NavLink key={item.to} item={item} className={look} />
      ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={isOnOther ? 'page' : undefined}
        onClick={onMore}
        className={look}
      >
        <MenuIcon />
        <span className="max-w-full truncate">{t({ message: 'More', context: 'pages' })}</span>
      </button>
    </nav>
  )
}
