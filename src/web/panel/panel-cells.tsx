import { t } from '@lingui/core/macro'
import { CopyableValue } from '../ui/copyable-value.tsx'
import { PanelLink, quietName } from './panel-link.tsx'

/** Cells of tables that lead to the panel of what they show. */

/** On paper, its table leaves room for it. */
const look = `machine text-text-2 print:whitespace-nowrap! ${quietName}`

/** Enough to distinguish two machines in a list; its tooltip and its panel have the whole fingerprint. */
export function DeviceCell({ hwid, none = '—' }: { hwid: string; none?: string }) {
  if (hwid === '') return <span className="text-text-3">{none}</span>
  return (
    <CopyableValue text={hwid} label={t`Copy HWID`}>
      <PanelLink kind="device" id={hwid} title={hwid} className={look}>
        {hwid.slice(0, 8)}
      </PanelLink>
    </CopyableValue>
  )
}

export function AddressCell({ ip }: { ip: string }) {
  if (ip === '') return <span className="text-text-3">—</span>
  return (
    <CopyableValue text={ip} label={t`Copy IP address`}>
      <PanelLink kind="address" id={ip} title={ip} className={look} />
    </CopyableValue>
  )
}
