import { Cell } from '#web/components/data-table.tsx'

/** A paper has more columns than the screen: dates, numbers and names stay whole, addresses may wrap. */
export function PaperCell({ text }: { text: string }) {
  return <Cell className={text.length > 40 ? 'min-w-64' : 'whitespace-nowrap'}>{text}</Cell>
}
