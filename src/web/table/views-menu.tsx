import { t } from '@lingui/core/macro'
import { Bookmark, Pencil, Plus, RotateCcw, Save, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { TableId } from '#contract/table-ids.ts'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { usePaletteActions } from '../navigation/palette-actions.ts'
import { localeStore } from '../browser/locale.ts'
import { useStore } from '../browser/store.ts'
import { Menu } from '../ui/menu.tsx'
import type { MenuEntry } from '../ui/menu-entry.ts'
import { type SavedView, type SavedViews, useSavedViews } from './use-saved-views.ts'
import { deleteView, updateView } from './view-actions.ts'

const ViewForm = lazyPart(() => import('./view-form.tsx'), 'ViewForm')

type OpenForm = { view?: SavedView } | undefined

/** Saved views of a table: filters and columns under a name. */
export function ViewsMenu({ table }: { table: TableId }) {
  const saved = useSavedViews(table)
  const { active, current, shown } = saved
  const [form, setForm] = useState<OpenForm>()
  useViewActions(saved, () => setForm({}))
  const look = active
    ? 'border-line bg-surface-2 text-text-2'
    : 'border-dashed border-line text-text-2 hover:border-line-strong'
  return (
    <>
      {/* Beside the columns, so that it never stands alone in a second line of filters. */}
      <span data-tip={t`Views`} className="inline-flex shrink-0 items-center sm:h-8 pointer-coarse:h-11">
        <Menu
          align="start"
          entries={() => [...viewEntries(saved), ...actEntries(saved, table, setForm)]}
          className={`inline-flex h-7 max-w-56 shrink-0 items-center gap-2 rounded-md border px-2.5 text-ui whitespace-nowrap hover:text-text pointer-coarse:h-11 print:hidden [&_svg]:size-3.5 [&_svg]:shrink-0 ${look}`}
        >
          <Bookmark aria-hidden="true" />
          <span className="sm:max-[1535px]:sr-only">{t`Views`}</span>
          {current && (
            <span className={`min-w-0 truncate ${active ? 'font-medium text-text' : ''}`}>
              {saved.isChanged ? changedText(current) : current.name}
            </span>
          )}
        </Menu>
      </span>
      {form && (
        <ViewForm
          {...form}
          table={table}
          content={shown}
          onClose={() => setForm(undefined)}
          onFailed={() => setForm(undefined)}
          onReopen={() => setForm(form)}
        />
      )}
    </>
  )
}

function viewEntries({ views, hasFailed, retry, active, shown, apply, leave }: SavedViews): MenuEntry[] {
  if (hasFailed) {
    return [
      { kind: 'heading', label: t`Failed to load views` },
      { label: t`Retry`, icon: <RotateCcw />, onSelect: retry },
      { kind: 'separator' },
    ]
  }
  if (!views || views.length === 0) return []
  return [
    ...views.map((view) => ({
      kind: 'choice' as const,
      label: view.name,
      checked: view === active,
      onSelect: () => apply(view),
    })),
    { kind: 'choice', label: t`No view`, checked: active === undefined && shown.query === '', onSelect: leave },
    { kind: 'separator' },
  ]
}

function actEntries(saved: SavedViews, table: TableId, setForm: (form: OpenForm) => void): MenuEntry[] {
  const { current, isChanged, canSave, shown } = saved
  const name = current?.name ?? ''
  return [
    ...(current && isChanged
      ? [
          {
            label: t`Update “${name}”`,
            icon: <Save />,
            onSelect: () => void updateView(table, current, shown),
          },
        ]
      : []),
    {
      label: t`Save view…`,
      icon: <Plus />,
      onSelect: () => setForm({}),
      ...(!canSave && { disabledReason: t`Search, filter, sort, or arrange the columns first.` }),
    },
    ...(current
      ? [
          { label: t`Rename “${name}”…`, icon: <Pencil />, onSelect: () => setForm({ view: current }) },
          {
            label: t`Delete “${name}”`,
            icon: <Trash2 />,
            danger: true,
            onSelect: () => void deleteView(table, current),
          },
        ]
      : []),
  ]
}

/** The views in the command palette. */
function useViewActions({ views, canSave, shown, apply }: SavedViews, onSave: () => void) {
  const locale = useStore(localeStore)
  const actions = useMemo(
    () => [
      ...(views ?? []).map((view) => ({ label: viewLabel(view), run: () => apply(view) })),
      ...(canSave ? [{ label: t`Save view…`, run: onSave }] : []),
    ],
    // oxlint-disable-next-line react/exhaustive-deps -- `apply` depends on what is shown
    [views, canSave, locale, shown.query, shown.columns],
  )
  usePaletteActions(actions)
}

const changedText = ({ name }: SavedView) => t`${name}, changed`

const viewLabel = ({ name }: SavedView) => t`View: ${name}`
