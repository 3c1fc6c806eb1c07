import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { Ban, CircleCheck, ClockPlus, FileDown, FileUp, KeyRound, Pencil, Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useCreateButton } from '#web/list/use-create-button.tsx'
import { useDeletedEntry } from '#web/list/use-deleted-entry.tsx'
import { useImportEntry, useOpenImport } from '#web/list/use-import-entry.tsx'
import type { ListPage } from '#web/list/use-list-page.ts'
import { notify } from '#web/browser/notify.ts'
import { paths } from '#web/navigation/paths.ts'
import { PlanLimitNotice, useLimitReason, usePlanUsage } from '#features/plans/web/plan-limit-notice.tsx'
import { useShortcuts } from '#web/navigation/shortcuts.ts'
import { BulkBar } from '#web/table/bulk-bar.tsx'
import { FacetLine } from '#web/table/facet-line.tsx'
import { ActionsReason } from '#web/ui/actions-reason.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import type { MenuEntry } from '#web/ui/menu-entry.ts'
import { MoreActions } from '#web/ui/more-actions.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import type { DialogState } from '#web/navigation/use-dialog.ts'
import { PlanReasonText } from '#features/plans/web/plan-reason.tsx'
import { usePlanReason } from '#features/plans/web/use-plan-feature.ts'
import { type License, type LicenseCounts, type LicenseFilter, type LicenseList, useLevels } from './licenses-data.ts'

export type LicensesInView = ListPage<License, LicenseList, LicenseFilter>

interface LicensesHeaderProps {
  list: LicensesInView
  appName: string
}

/** The title, and the actions on the whole list. */
export function LicensesHeader({ list }: Pick<LicensesHeaderProps, 'list'>) {
  const { open } = list.dialog
  useRowShortcuts(open)
  const showDeleted = useDeletedEntry('license')
  const importLicenses = useImportEntry('licenses')
  const plan = usePlanUsage()
  const noBulk = usePlanReason('bulk_operations')
  const counts = list.data?.counts
  const full = useLimitReason(counts?.total, plan?.limits.max_licenses_per_app)
  const create = useCreateButton(list.dialog, t`Create licenses`, t`Licenses`, full)
  const addTime = () => (list.selected === 0 ? notify.error(t`No licenses selected`) : open('add-time'))
  const nothing = counts?.total === 0 ? t`There is nothing to export` : undefined
  const reasonId = useId()
  return (
    <>
      <PageHeader
        title={t`Licenses`}
        actions={
          <>
            <MoreActions
              entries={() => [
                // In the menu, the reason is visible.
                ...(noBulk
                  ? [{ label: t`Add time`, icon: <ClockPlus />, disabledReason: noBulk, onSelect: addTime }]
                  : []),
                importLicenses(),
                showDeleted(),
                { kind: 'separator' },
                ...wholeListMenu(counts, open, noBulk),
              ]}
            />
            {noBulk === undefined && <Button icon={<ClockPlus />} onClick={addTime}>{t`Add time`}</Button>}
            <Button
              icon={<FileDown />}
              disabledReason={nothing}
              aria-describedby={nothing && reasonId}
              onClick={() => open('export')}
            >
              {t`Export`}
            </Button>
            {create}
          </>
        }
      />
      <ActionsReason id={reasonId} reason={nothing} />
      <PlanLimitNotice
        used={counts?.total}
        limit={plan?.limits.max_licenses_per_app}
        text={(used, limit, name) => t`Your ${name} plan: ${used} of ${limit} licenses used in this app.`}
      />
    </>
  )
}

/** How many licenses of the app have each status. */
export function LicenseFacets({ list, appName }: LicensesHeaderProps) {
  const counts = list.data?.counts
  const lang = document.documentElement.lang || 'en'
  const share = (part: number | undefined, whole: number | undefined) =>
    whole ? ((part ?? 0) / whole).toLocaleString(lang, { style: 'percent', maximumFractionDigits: 1 }) : undefined
  const ofUsed = share(counts?.expiring, counts?.used)
  const facet = (
    value: Exclude<keyof LicenseCounts, 'total'>,
    label: string,
    note = share(counts?.[value], counts?.total),
  ) => ({
    value,
    label,
    note,
    count: counts?.[value],
  })
  return (
    <FacetLine
      label={t`License counts`}
      filter="status"
      filterLabel={t`Status`}
      state={list.state}
      total={{ label: t({ message: 'All', context: 'licenses' }), count: counts?.total, note: t`Total in ${appName}` }}
      facets={[
        facet('unused', t({ message: 'Unused', context: 'licenses' })),
        facet('used', t({ message: 'Used', context: 'licenses' })),
        facet('banned', t({ message: 'Banned', context: 'licenses' })),
        facet('expiring', t`Expiring in 7 days`, ofUsed && t`${ofUsed} of used`),
      ]}
    />
  )
}

function wholeListMenu(counts: LicenseCounts | undefined, open: DialogState['open'], noBulk?: string): MenuEntry[] {
  const nothing = counts?.total === 0 ? t`No licenses found` : undefined
  const noUnused = counts && counts.unused + counts.banned === 0 ? t`No unused licenses` : undefined
  const noUsed = counts && counts.used + counts.banned === 0 ? t`No used licenses` : undefined
  const entry = (name: string, label: string, disabledReason?: string): MenuEntry => ({
    label,
    icon: <Trash2 />,
    danger: true,
    disabledReason: noBulk ?? disabledReason,
    onSelect: () => open(name),
  })
  return [
    entry('delete-unused', t`Delete unused`, noUnused),
    entry('delete-used', t`Delete used`, noUsed),
    entry('delete-all', t`Delete all`, nothing),
  ]
}

export const licenseMenu = ({ license, banned }: License, open: DialogState['open']): MenuEntry[] => [
  { label: t`Edit`, icon: <Pencil />, shortcut: 'E', onSelect: () => open('edit', license) },
  {
    label: banned ? t`Unban` : t`Ban`,
    icon: <Ban />,
    shortcut: 'B',
    danger: !banned,
    onSelect: () => open('ban', license),
  },
  { kind: 'separator' },
  { label: t`Delete`, icon: <Trash2 />, danger: true, onSelect: () => open('delete', license) },
]

const focusedRow = () => document.activeElement?.closest<HTMLElement>('tr[data-row]')?.dataset.row

/** The keys `e` and `b` act on the focused row. */
function useRowShortcuts(open: DialogState['open']) {
  const group = t`Licenses`
  const onRow = (name: string) => () => {
    const key = focusedRow()
    if (key !== undefined) open(name, key)
  }
  useShortcuts([
    { id: 'edit-license', keys: 'e', label: t`Edit license`, group, run: onRow('edit') },
    { id: 'ban-license', keys: 'b', label: t`Ban or unban license`, group, run: onRow('ban') },
  ])
}

export function LicensesBulkBar({ list }: { list: LicensesInView }) {
  const { open } = list.dialog
  const disabledReason = usePlanReason('bulk_operations')
  // On phones, only the labels fit, without icons.
  const act = (dialog: string) => ({
    className: 'max-sm:[&_svg]:hidden',
    disabledReason,
    onClick: () => open(dialog),
  })
  return (
    <BulkBar list={list} canSelectAllMatching notice={disabledReason && <PlanReasonText reason={disabledReason} />}>
      <Button icon={<ClockPlus />} disabledReason={disabledReason} onClick={() => open('add-time')}>
        <span className="max-sm:sr-only">{t`Add time`}</span>
      </Button>
      <Button icon={<FileDown />} onClick={() => open('export')}>
        <span className="max-sm:sr-only">{t`Export`}</span>
      </Button>
      <Button variant="danger" icon={<Ban />} {...act('ban-selected')}>
        {t`Ban`}
      </Button>
      <Button icon={<CircleCheck />} {...act('unban-selected')}>
        {t`Unban`}
      </Button>
      <Button variant="danger" icon={<Trash2 />} aria-label={t`Delete selected`} {...act('delete-selected')}>
        {t`Delete`}
      </Button>
    </BulkBar>
  )
}

/** Empty state: create a subscription first, then keys. */
export function NoLicenses({ onCreate }: { onCreate: () => void }) {
  const navigate = useNavigate()
  const openImport = useOpenImport('licenses')
  const { options } = useLevels()
  const isFirstLevelMissing = options?.length === 0
  return (
    <EmptyState
      icon={<KeyRound />}
      title={t`No licenses found...`}
      actions={
        <>
          <Button icon={<FileUp />} onClick={openImport}>{t`Import licenses`}</Button>
          {isFirstLevelMissing ? (
            <Button variant="primary" icon={<Plus />} onClick={() => void navigate({ to: paths.subscriptions() })}>
              {t`Create a subscription`}
            </Button>
          ) : (
            <Button variant="primary" icon={<Plus />} onClick={onCreate}>{t`Create your first licenses`}</Button>
          )}
        </>
      }
    >
      {isFirstLevelMissing
        ? t`A license key grants a subscription level of your app. Create a level first, then keys for it.`
        : t`A license key gives one person access to your app for as long as you choose. Create keys and hand them out or sell them; people who redeem one appear here.`}
    </EmptyState>
  )
}
