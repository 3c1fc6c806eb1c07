import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import {
  Activity,
  Braces,
  Download,
  FileClock,
  Handshake,
  KeyRound,
  Layers,
  LayoutGrid,
  Plug,
  Plus,
  Radio,
  ScrollText,
  ShieldAlert,
  SlidersHorizontal,
  Terminal,
  UserRound,
  Users,
  Webhook,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { paths } from '../navigation/paths.ts'

export interface NavItem {
  to: string
  title: MessageDescriptor
  icon: ReactNode
  /** Other pages that belong to it. */
  isFor?: readonly string[]
  /** Second key after `g`. */
  key?: string
  /** Content at the right end of the rail item. */
  count?: 'sessions' | 'alerts'
}

export interface NavGroup {
  /** The first group has none. */
  title?: MessageDescriptor
  items: readonly NavItem[]
}

/** By what an owner works on: customers, the program, those who sell it, and what happens. */
export const ownerNav: readonly NavGroup[] = [
  { items: [{ to: paths.overview(), title: msg`Overview`, icon: <Activity />, key: 'o' }] },
  {
    title: msg`Customers`,
    items: [
      { to: paths.licenses(), title: msg`Licenses`, icon: <KeyRound />, key: 'l' },
      { to: paths.users(), title: msg`Users`, icon: <Users />, key: 'u' },
      { to: paths.sessions(), title: msg`Sessions`, icon: <Radio />, key: 'e', count: 'sessions' },
      { to: paths.subscriptions(), title: msg`Subscriptions`, icon: <Layers />, key: 'b' },
    ],
  },
  {
    title: msg`Program`,
    items: [
      { to: paths.variables(), title: msg`Variables`, icon: <Braces />, key: 'v' },
      { to: paths.downloads(), title: msg`Downloads`, icon: <Download />, key: 'd' },
      { to: paths.webhooks(), title: msg`Webhooks`, icon: <Webhook />, key: 'w' },
      { to: paths.connect(), title: msg`Connect`, icon: <Plug />, key: 'c' },
      { to: paths.settings(), title: msg`Settings`, icon: <SlidersHorizontal />, key: 's' },
    ],
  },
  {
    title: msg`Sell`,
    items: [
      { to: paths.sellerApi(), title: msg`Seller API`, icon: <Terminal />, key: 'a' },
      { to: paths.manageResellers(), title: msg`Resellers`, icon: <Handshake />, key: 'r' },
    ],
  },
  {
    title: msg`Watch`,
    items: [
      { to: paths.logs(), title: msg`Logs`, icon: <ScrollText />, key: 'h', isFor: [paths.why()] },
      { to: paths.alerts(), title: msg`Alerts`, icon: <ShieldAlert />, key: 't', count: 'alerts' },
    ],
  },
]

const mainPaths = [paths.overview(), paths.licenses(), paths.users(), paths.logs()]

/** In the bottom bar of phones. */
export const ownerMainPages: readonly NavItem[] = ownerNav
  .flatMap(({ items }) => items)
  .filter(({ to }) => mainPaths.includes(to))

/** Pages only reachable from menus are in the command palette, too. */
export const palettePages: readonly NavItem[] = [
  ...ownerNav.flatMap(({ items }) => items),
  { to: paths.audit(), title: msg`Audit`, icon: <FileClock />, key: 'i' },
  { to: paths.profile(), title: msg`Profile`, icon: <UserRound /> },
  { to: paths.manageApps(), title: msg`Manage Apps`, icon: <LayoutGrid /> },
  { to: paths.createApp(), title: msg`Create New App`, icon: <Plus /> },
  { to: paths.status(), title: msg`Status`, icon: <Activity /> },
]
