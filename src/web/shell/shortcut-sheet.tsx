import { t } from '@lingui/core/macro'
import { letterKeysStore, listShortcuts, readableKeys, setLetterKeys } from '../navigation/shortcuts.ts'
import { useStore } from '../browser/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { SwitchRow } from '../ui/switch-row.tsx'

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const lettersOn = useStore(letterKeysStore)
  const modifier = readableKeys('mod')
  const groups = Map.groupBy(listShortcuts(), ({ group }) => group)
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose} size="md">
      <div className="gap-x-10 pb-2 md:columns-2">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group} className="mb-5 break-inside-avoid">
            <h3 className="pb-1 text-meta text-text-3">{group}</h3>
            <dl>
              {shortcuts.map(({ id, label, keys }) => (
                <div key={id} className="flex min-h-8 items-center justify-between gap-4 border-t border-line">
                  <dt className="text-ui text-text-2">{label}</dt>
                  <dd>
                    <kbd className="rounded-sm border border-line bg-surface-2 px-1.5 text-meta">
                      {readableKeys(keys)}
                    </kbd>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="border-t border-line pt-4 pb-5">
        <SwitchRow
          label={t`Single-key shortcuts`}
          consequence={t`Off: only shortcuts with ${modifier} work`}
          checked={lettersOn}
          onChange={setLetterKeys}
        />
      </div>
    </Dialog>
  )
}
