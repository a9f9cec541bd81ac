import { Cell } from '#web/components/data-table.tsx'

/** A paper has more columns than the screen: dates, numbers and names stay whole, addresses may wrap. */
export function PaperCell({ text }: { text: string }) {
  return <Cell className={text.length > 40 ? 'min-w-64' : 'whitespace-nowrap'}>{text}</Cell>
}

/** A head of the agency's sheet, which may have two lines. */
export const headOfSheet = (head: string) => ({ head, headClassName: 'whitespace-pre-line' })
