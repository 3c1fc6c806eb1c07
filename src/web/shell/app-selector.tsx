import { useState } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { AppSelectorFace, appSelectorStyle, narrowSelectorStyle } from './app-selector-face.tsx'

const Panel = lazyPart(() => import('./app-selector-panel.tsx'), 'AppSelectorPanel')

/** Which app the owner screens are about. The list is loaded when somebody reaches for it. */
export function AppSelector({ narrow = false }: { narrow?: boolean }) {
  const [used, setUsed] = useState(false)
  const plain = (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-expanded={used}
      onPointerEnter={Panel.preload}
      onFocus={Panel.preload}
      onClick={() => setUsed(true)}
      className={narrow ? narrowSelectorStyle : appSelectorStyle}
    >
      <AppSelectorFace narrow={narrow} />
    </button>
  )
  return (
    <Panel
      narrow={narrow}
      shown={used}
      placeholder={plain}
      onFailed={() => setUsed(false)}
      onReopen={() => setUsed(true)}
    />
  )
}
