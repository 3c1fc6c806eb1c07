import { Link, type RouterHistory, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseSearch, type SearchParams } from '../navigation/search-params.ts'
import { type PanelKind, panelText } from './panel-address.ts'
import { panelParams, panelState } from './use-panel.ts'

interface PanelLinkProps {
  kind: PanelKind
  /** License key, name of a user, reseller or variable, device as in the log, IP address, or the ID of anything else. */
  id: string
  /** The ID itself by default. */
  children?: ReactNode
  className?: string
  title?: string
  /** The tab that it opens; by default the one that was open last. */
  tab?: string
  /** What its content alone doesn't say. */
  label?: string
}

const look = 'rounded-sm underline decoration-line-strong underline-offset-2 hover:decoration-current'
const kindLook: Record<PanelKind, string> = {
  license: 'machine wrap-anywhere',
  user: 'wrap-anywhere',
  session: 'machine wrap-anywhere',
  device: 'machine wrap-anywhere',
  address: 'machine wrap-anywhere',
  alert: 'wrap-anywhere',
  reseller: 'wrap-anywhere',
  file: 'wrap-anywhere',
  subscription: 'wrap-anywhere',
  owner: 'wrap-anywhere',
  log: 'wrap-anywhere',
  audit: 'wrap-anywhere',
  webhook: 'machine wrap-anywhere',
  'seller-key': 'wrap-anywhere',
  variable: 'machine wrap-anywhere',
}

/** A name that opens the panel of what it names, over the page that is open. */
export function PanelLink(props: PanelLinkProps) {
  const { kind, id, children = id, className = `${kindLook[kind]} ${look}`, title, tab, label } = props
  const { history } = useRouter()
  return (
    <Link
      to="."
      search={(before: SearchParams) => ({ ...before, ...panelParams({ kind, id }), ...(tab && { part: tab }) })}
      state={() => (isShown(history, props) ? history.location.state : panelState(history))}
      resetScroll={false}
      translate="no"
      title={title}
      aria-label={label}
      className={className}
    >
      {children}
    </Link>
  )
}

/** A link to what is shown adds no entry to the history. */
function isShown({ location }: RouterHistory, { kind, id, tab }: PanelLinkProps): boolean {
  const { panel, part, action } = parseSearch(location.search)
  return panel === panelText({ kind, id }) && action === undefined && (tab === undefined || tab === part)
}

/** The look of a name in a table, where underlines would be many. */
export const quietName = 'rounded-sm hover:underline hover:underline-offset-2'
