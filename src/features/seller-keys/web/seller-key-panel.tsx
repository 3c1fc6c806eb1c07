import { t } from '@lingui/core/macro'
import { ListedRecord } from '#web/list/listed-record.tsx'
import { PanelDialog } from '#web/panel/panel-dialog.tsx'
import { PanelMenu } from '#web/panel/panel-menu.tsx'
import { CopiedFact, PanelFact, PanelFacts } from '#web/panel/panel-parts.tsx'
import { usePanel } from '#web/panel/use-panel.ts'
import { useSelectedApp } from '#web/session/use-account.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { Tab } from '#web/ui/tabs.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { permissionTexts } from './permission-texts.ts'
import { KeyStatus } from './seller-keys-columns.tsx'
import { type SellerKey, sellerKeyList } from './seller-keys-data.ts'
import { sellerKeyDialogs, sellerKeyMenu } from './seller-keys-menus.tsx'

interface SellerKeyPanelProps {
  /** The key without its last characters, which a rotation changes. */
  id: string
  /** Tabs of other features. */
  tabs: (key: SellerKey) => readonly Tab[]
}

/** A seller key: what it allows from which addresses, and its last use. */
export function SellerKeyPanel({ id, tabs }: SellerKeyPanelProps) {
  const appName = useSelectedApp()?.appName ?? ''
  return (
    <ListedRecord
      list={sellerKeyList}
      id={id}
      kind={t`Seller key`}
      failure={t`Failed to load seller keys`}
      missing={t`Seller key not found`}
      parts={(key: SellerKey) => ({
        name: <span translate="no">{key.keyName}</span>,
        recentName: key.keyName,
        badge: <KeyStatus row={key} />,
        actions: <Actions sellerKey={key} />,
        details: <Details sellerKey={key} />,
        tabs: tabs(key),
        dialog: <PanelDialog key={id} row={key} dialogs={sellerKeyDialogs(appName)} />,
      })}
    />
  )
}

function Actions({ sellerKey }: { sellerKey: SellerKey }) {
  const { setAction } = usePanel()
  return (
    <PanelMenu
      entries={sellerKeyMenu(sellerKey, setAction)}
      buttons={3}
      group={t`Seller API Keys`}
      editLabel={t`Edit seller key`}
    />
  )
}

function Details({ sellerKey: key }: { sellerKey: SellerKey }) {
  const { sellerKey, fullAccess, permissions, whitelistedIPs, lastUsed, lastUsedIp, rotatedUntil, exposedAt } = key
  return (
    <>
      {exposedAt !== null && (
        <Notice tone="danger">{t`An exposed key was sent in a URL, which logs store. Rotate it.`}</Notice>
      )}
      <PanelFacts>
        <CopiedFact name={t`Seller key`} value={sellerKey} copyLabel={t`Copy`}>
          <MachineText value={sellerKey} className="break-all" />
        </CopiedFact>
        {rotatedUntil !== null && (
          <PanelFact name={t`Old key`}>
            <TimeLeft until={rotatedUntil} />
          </PanelFact>
        )}
        <PanelFact name={t`Last used`}>
          {lastUsed === null ? (
            t`Never`
          ) : (
            <>
              <TimeAgo at={lastUsed} />
              {lastUsedIp !== '' && (
                <span className="inline-flex items-center gap-1 text-text-2">
                  <MachineText value={lastUsedIp} />
                  <CopyButton text={lastUsedIp} label={t`Copy IP address`} className="-my-1" />
                </span>
              )}
            </>
          )}
        </PanelFact>
        <PanelFact name={t`Whitelisted IPs`}>
          {whitelistedIPs.length === 0 ? (
            t`Any IP`
          ) : (
            <ul>
              {whitelistedIPs.map((ip) => (
                <li key={ip}>
                  <MachineText value={ip} className="break-all" />
                </li>
              ))}
            </ul>
          )}
        </PanelFact>
        <PanelFact name={t({ message: 'Created', context: 'seller key' })}>
          <TimeAgo at={key.createdDate} />
        </PanelFact>
      </PanelFacts>
      <section aria-label={t`Permissions`} className="mt-6">
        <h3 className="mb-2 text-ui font-semibold">{t`Permissions`}</h3>
        {fullAccess ? (
          <p className="text-ui">
            <span className="font-medium text-warn">{t`Full access`}</span>
            {': '}
            {t`Everything that the seller API can do, also deleting.`}
          </p>
        ) : (
          <Permissions permissions={permissions} />
        )}
      </section>
    </>
  )
}

const Permissions = ({ permissions }: { permissions: readonly string[] }) => (
  <ul className="rounded-md border border-line">
    {permissionTexts(permissions).map(({ subject, name, allowed }) => (
      <li
        key={subject}
        className="flex items-baseline justify-between gap-3 border-t border-line px-3 py-2 text-ui first:border-t-0"
      >
        <span className="min-w-0">{name}</span>
        <span className="text-right text-text-2">{allowed}</span>
      </li>
    ))}
  </ul>
)
