import { type RefObject, useEffect, useMemo } from 'react'
import { useFrameWidth } from '../browser/use-frame-width.ts'
import { type Column, columnSpace } from './column.ts'
import { columnLayout } from './column-layout.ts'
import { textMeasure, useHasFont } from './text-width.ts'
import type { TableBodyProps } from './table-list.ts'

const borders = 2

/** The width of a table that is as wide as the page; infinite before there is a page. */
function widthInPage(): number {
  const page = document.querySelector('main')
  if (!page) return Infinity
  const { paddingLeft, paddingRight } = getComputedStyle(page)
  return page.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - borders
}

type Columns<R extends object> = Pick<TableBodyProps<R>, 'columns' | 'visibility' | 'rows' | 'leftOut'>

/** The columns that are shown, with their widths. `fixed` is the width of checkbox, expander and menu. */
export function useColumnLayout<R extends object>(
  { columns, visibility, rows, leftOut }: Columns<R>,
  { fixed, frame }: { fixed: number; frame: RefObject<HTMLElement | null> },
) {
  const width = useFrameWidth(frame, widthInPage)
  const hasFont = useHasFont()
  const chosen = useMemo(() => columns.filter(({ id }) => visibility[id] !== false), [columns, visibility])
  const layout = useMemo(() => {
    const widthOf = textMeasure()
    const spaces = chosen.map((column) => columnSpace(column, rows ?? [], widthOf))
    return columnLayout(spaces, { fixed, frame: width })
    // oxlint-disable-next-line react/exhaustive-deps -- the font decides how wide texts are
  }, [chosen, rows, fixed, width, hasFont])
  const visible: readonly Column<R>[] = useMemo(
    () => chosen.filter(({ id }) => layout.widths.has(id)),
    [chosen, layout],
  )
  useEffect(() => leftOut.set(layout.leftOut), [leftOut, layout])
  return { ...layout, visible }
}
