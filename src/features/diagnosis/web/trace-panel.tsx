import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { paths } from '#web/navigation/paths.ts'
import { PanelBody } from '#web/panel/side-panel.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { History } from './history-tab.tsx'

interface TracePanelProps {
  kind: 'device' | 'address'
  id: string
}

/** A machine or an IP address: who used it, and what happened. */
export function TracePanel({ kind, id }: TracePanelProps) {
  const isDevice = kind === 'device'
  const logs = isDevice ? { hwid: id } : { ip: id }
  return (
    <PanelBody
      kind={isDevice ? t`Machine` : t`IP Address`}
      name={
        <>
          <span translate="no" className="machine">
            {id}
          </span>
          <CopyButton
            text={id}
            label={isDevice ? t`Copy HWID` : t`Copy IP address`}
            className="-my-1 ml-1 align-middle"
          />
        </>
      }
      actions={
        <Link to={paths.logs()} search={logs} className={buttonStyle({})}>
          {t`Show in the log`}
        </Link>
      }
      tabs={[{ value: '', label: t`History`, content: <History key={id} search={id} withFacts /> }]}
    />
  )
}
