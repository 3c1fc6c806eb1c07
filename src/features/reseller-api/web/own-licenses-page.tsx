import { t } from '@lingui/core/macro'
import { Copy, KeyRound, Trash2 } from 'lucide-react'
import { useCallback, useId } from 'react'
import { EndNote, endNote } from '#features/licenses/web/end-note.tsx'
import type { AssignedApp } from './assigned-apps.ts'
import { lazyDialog } from '#web/ui/lazy-dialog.tsx'
import { ListDialogs } from '#web/list/list-dialogs.tsx'
import { useColumns } from '#web/list/use-columns.ts'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useListPage } from '#web/list/use-list-page.ts'
import { notify } from '#web/browser/notify.ts'
import { useCreditsText } from './credits-left.tsx'
import type { Column } from '#web/table/column.ts'
import { neededOfEnd } from '#web/table/needed-texts.ts'
import { DataTable } from '#web/table/data-table.tsx'
import { agoCells } from '#web/table/time-cells.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { ActionsReason } from '#web/ui/actions-reason.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { copyText, CopyButton } from '#web/ui/copy-button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { daysText, levelText, notForSaleText, type OwnLicense, ownLicenseList } from './reseller-data.ts'
import { ExpiringFilter, RedeemedFilter } from './own-filters.tsx'
import { ResellerPage } from './reseller-page.tsx'

const GenerateForm = lazyDialog(() => import('./generate-form.tsx'), 'GenerateForm')
const DeleteOwnLicenseDialog = lazyDialog(() => import('./own-row-actions.tsx'), 'DeleteOwnLicenseDialog')

/** Licenses created by the reseller. */
export function OwnLicensesPage() {
  const withoutApp = t`No app selected. Please select an app from the sidebar to manage licenses.`
  return (
    <ResellerPage title={t`Licenses`} withoutApp={withoutApp}>
      {(app) => <OwnLicensesTable app={app} />}
    </ResellerPage>
  )
}

function OwnLicensesTable({ app }: { app: AssignedApp }) {
  const list = useListPage(ownLicenseList)
  const { open, close } = list.dialog
  const notForSale = notForSaleText(app)
  const create = useCreateButton(list.dialog, t`Generate License`, t`Licenses`, notForSale)
  const rowMenu = useCallback((row: OwnLicense) => ownLicenseMenu(row, open), [open])
  const credits = useCreditsText()
  const reasonId = useId()
  return (
    <>
      <PageHeader
        title={t`Licenses`}
        badge={credits && <Badge tone="violet">{t`Credits: ${credits}`}</Badge>}
        actions={create}
      />
      <ActionsReason id={reasonId} reason={notForSale} />
      <DataTable
        id="reseller-licenses"
        label={t`Licenses`}
        newestFirst
        list={list}
        columns={useColumns(ownLicenseColumns)}
        rowLabel={list.rowId}
        errorText={t`Failed to load licenses`}
        searchPlaceholder={t`Key, user, notes`}
        facets={<EndNote state={list.state} />}
        filters={
          <>
            <ExpiringFilter state={list.state} />
            <RedeemedFilter state={list.state} />
          </>
        }
        rowMenu={rowMenu}
        empty={
          <EmptyState icon={<KeyRound />} title={t`No licenses found. Generate your first one.`} actions={create}>
            {t`Each key costs the credits of its plan. Deleting an unused key refunds its credits.`}
          </EmptyState>
        }
      />
      <ListDialogs
        list={list}
        page={{ create: () => <GenerateForm app={app} onClose={close} /> }}
        row={{ delete: (row) => <DeleteOwnLicenseDialog app={app} license={row} onClose={close} /> }}
        rowMissing={t`License not found`}
      />
    </>
  )
}

async function copyKey(license: string) {
  if (await copyText(license)) notify.success(t`License key copied to clipboard`)
}

/** Only unused licenses can be deleted. */
function ownLicenseMenu({ license, used, banned }: OwnLicense, open: (name: string, row: string) => void): MenuEntry[] {
  const isBanned = banned ? t`A banned license cannot be deleted` : undefined
  return [
    { label: t`Copy license key`, icon: <Copy />, onSelect: () => void copyKey(license) },
    { kind: 'separator' },
    {
      label: t`Delete`,
      icon: <Trash2 />,
      danger: true,
      onSelect: () => open('delete', license),
      disabledReason: used ? t`A redeemed license cannot be deleted` : isBanned,
    },
  ]
}

/** The time left of a redeemed license; before, what redeeming it grants. */
function Expiry({ license: { expiresAt, expiry } }: { license: OwnLicense }) {
  return expiresAt === null ? daysText(expiry) : <TimeLeft until={expiresAt} full={expiry} />
}

const neededOfLicense = ({ expiresAt, expiry }: OwnLicense) =>
  expiresAt === null ? daysText(expiry) : neededOfEnd(expiresAt)

const ownLicenseColumns = (): readonly Column<OwnLicense>[] => [
  {
    id: 'license',
    header: t`License Key`,
    width: 228,
    sortable: true,
    whole: ({ license }) => license,
    cell: ({ license }) => (
      <span className="flex min-w-0 items-center gap-2">
        <MachineText value={license} shape="groups" wraps className="min-w-0 py-1" />
        <CopyButton
          text={license}
          label={t`Copy license key`}
          copiedText={t`License key copied to clipboard`}
          className="text-text-3"
        />
      </span>
    ),
    cardCell: ({ license }) => <MachineText value={license} shape="groups" wraps />,
  },
  {
    id: 'status',
    header: t`Status`,
    width: 110,
    sortable: true,
    card: 'aside',
    cell: (row) => <Status license={row} />,
  },
  { id: 'app', header: t`App`, width: 130, yields: 1, card: 'hidden', cell: ({ appName }) => <Name text={appName} /> },
  {
    id: 'subscription',
    header: t`Subscription`,
    width: 110,
    sortable: true,
    cell: ({ subscription: { level, name } }) => <span title={name}>{levelText(level)}</span>,
  },
  {
    id: 'expiry',
    header: t`Expiry`,
    note: endNote(),
    width: 172,
    sortable: true,
    needs: neededOfLicense,
    cell: (row) => <Expiry license={row} />,
  },
  {
    id: 'usedBy',
    header: t`Used By`,
    width: 136,
    needs: ({ usedBy }) => usedBy.slice(0, 24),
    yields: 3,
    cell: ({ usedBy }) => (usedBy ? <Name text={usedBy} /> : <span className="text-text-3">—</span>),
    cardCell: ({ license, usedBy }) => (usedBy === license ? '' : usedBy && <Name text={usedBy} />),
  },
  {
    id: 'notes',
    header: t`Notes`,
    width: 100,
    startsHidden: true,
    cell: ({ notes }) => notes && <Name text={notes} />,
  },
  {
    id: 'created',
    header: t({ message: 'Created', context: 'license' }),
    width: 134,
    yields: 2,
    sortable: true,
    ...agoCells(({ creationDate }) => creationDate),
  },
]

const Name = ({ text }: { text: string }) => (
  <span translate="no" title={text}>
    {text}
  </span>
)

function Status({ license: { used, banned } }: { license: OwnLicense }) {
  if (banned)
    return (
      <Badge tone="danger" dot="slashed">
        {t({ message: 'Banned', context: 'license' })}
      </Badge>
    )
  if (used) return <Badge tone="ok" dot="filled">{t`Redeemed`}</Badge>
  return <Badge dot="ring">{t`Available`}</Badge>
}
