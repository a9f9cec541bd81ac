import { encode } from 'uqr'
import { saveFile } from '#web/lib/save-download.ts'

interface ReceiptPicture {
  title: string
  reference: string
  facts: readonly (readonly [label: string, text: string])[]
}

// The sizes in pixels make the picture sharp on any phone, and small in its gallery.
const width = 900
const margin = 60
const qrSize = 420
const lineHeight = 52

/** Draws the receipt in the browser and saves it. The QR code is the reference, for the scanner of the office. */
export async function saveReceiptPicture({ title, reference, facts }: ReceiptPicture): Promise<void> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = 4 * margin + 180 + facts.length * lineHeight + qrSize
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser can’t draw pictures.')
  const { fontFamily } = getComputedStyle(document.body)
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = '#14211b'
  context.textBaseline = 'top'
  const write = (text: string, top: number, font: string) => {
    context.font = `${font} ${fontFamily}`
    context.fillText(text, margin, top, width - 2 * margin)
  }
  write(title, margin, '600 36px')
  context.font = 'bold 78px ui-monospace, monospace'
  context.fillText(reference, margin, margin + 70, width - 2 * margin)
  const top = margin + 190
  for (const [index, [label, text]] of facts.entries()) {
    write(`${label}: ${text}`, top + index * lineHeight, '34px')
  }
  drawQr(context, reference, top + facts.length * lineHeight + margin)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('This browser can’t save pictures.')
  saveFile(blob, `${reference}.png`)
}

function drawQr(context: CanvasRenderingContext2D, text: string, top: number): void {
  const { data, size } = encode(text)
  const cell = Math.floor(qrSize / size)
  for (const [row, cells] of data.entries()) {
    for (const [column, isDark] of cells.entries()) {
      if (isDark) context.fillRect(margin + column * cell, top + row * cell, cell, cell)
    }
  }
}
