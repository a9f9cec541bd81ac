import { gzipSync } from 'node:zlib'
import { buildDecompressionBomb, buildImage } from './images.ts'
import { buildZip } from './zip.ts'

export interface HostileUpload {
  name: string
  body: Buffer
  contentType: string
  headers?: Record<string, string>
  sentence?: string
}

const boundary = 'hostile'
const ofForm = `multipart/form-data; boundary=${boundary}`

const sentences = {
  type: 'Please select a valid image file (JPEG, PNG, GIF, or WEBP)',
  tooManyPixels: 'This image has too many pixels. Please make it smaller than 8000 by 8000.',
  incomplete: 'The upload arrived incomplete. Please try again.',
  unreadable: 'This file could not be read. Please choose it again.',
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'

// The head is written unescaped.
export function part(disposition: string, content: Buffer | string): Buffer {
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
}

export function formOfParts(...parts: readonly Buffer[]) {
  const needed = [part('name="title"', 'Drill'), part('name="content"', 'At the gym.')]
  return {
    body: Buffer.concat([...needed, ...parts, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: ofForm,
  }
}

function ofImage(name: string, image: Buffer | string, sentence = sentences.type): HostileUpload {
  return { name, ...formOfParts(part('name="image"; filename="a.png"', image)), sentence }
}

/** Every upload that must be refused within a second, on each route with an announcement's form. */
export async function buildHostileUploads(): Promise<HostileUpload[]> {
  const [jpeg, png] = await Promise.all([buildImage('jpeg'), buildImage('png')])
  const whole = formOfParts(part('name="image"; filename="a.png"', png)).body
  const json = (fields: Record<string, string>) => ({
    body: Buffer.from(JSON.stringify({ title: 'Drill', content: 'At the gym.', ...fields })),
    contentType: 'application/json',
  })
  return [
    ofImage('SVG', svg),
    ofImage('SVG behind an XML head', `<?xml version="1.0"?>\n${svg}`),
    ofImage(
      'HTML that begins like a GIF',
      `GIF89a/*${'x'.repeat(40)}*/=1;</script><script>alert(1)</script>`,
    ),
    ofImage('HTML that begins like a JPEG', Buffer.concat([jpeg.subarray(0, 20), Buffer.from(svg)])),
    ofImage('a PDF called PNG', '%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>'),
    ofImage('30,000 × 30,000 pixels in 109 kB', buildDecompressionBomb(), sentences.tooManyPixels),
    ofImage(
      '55 million interlaced pixels of 16 bits',
      buildDecompressionBomb(7_400, { bitDepth: 16, colourType: 6, interlace: 1 }),
      sentences.tooManyPixels,
    ),
    ofImage('half a JPEG', jpeg.subarray(0, jpeg.length / 2)),
    ofImage('a JPEG of ten thousand scans', repeatScan(jpeg, 10_000)),
    ofImage('a zip bomb called PNG', buildZip('zeros.txt', 100 * 1024 * 1024)),
    ofImage('an empty file', ''),
    {
      name: 'a form that is cut off',
      body: whole.subarray(0, -200),
      contentType: ofForm,
      sentence: sentences.incomplete,
    },
    { name: 'no boundary', body: whole, contentType: 'multipart/form-data', sentence: sentences.incomplete },
    {
      name: 'another boundary',
      body: whole,
      contentType: 'multipart/form-data; boundary=other',
      sentence: sentences.incomplete,
    },
    {
      name: 'a part without a name',
      ...formOfParts(part('filename="a.png"', png)),
      sentence: sentences.incomplete,
    },
    {
      name: 'a text where a file belongs',
      ...formOfParts(part('name="image"', 'text')),
      sentence: sentences.unreadable,
    },
    {
      name: 'a file where a text belongs',
      ...formOfParts(part('name="category"; filename="a"', 'text')),
      sentence: sentences.unreadable,
    },
    {
      name: 'a hundred files',
      ...formOfParts(...Array.from({ length: 100 }, () => part('name="other"; filename="a"', 'x'))),
      sentence: sentences.unreadable,
    },
    {
      name: 'a compressed body',
      body: gzipSync(whole),
      contentType: ofForm,
      headers: { 'Content-Encoding': 'gzip' },
      sentence: sentences.incomplete,
    },
    {
      name: 'base64 that is none',
      ...json({ image: 'data:image/png;base64,!!!!' }),
      sentence: sentences.unreadable,
    },
    {
      name: 'base64 of an SVG',
      ...json({ imageBase64: Buffer.from(svg).toString('base64') }),
      sentence: sentences.type,
    },
    {
      name: 'JSON that is cut off',
      body: Buffer.from('{"title":"Drill","image":"data:'),
      contentType: 'application/json',
    },
  ]
}

// A JPEG with many scans of the same pixels.
function repeatScan(jpeg: Buffer, times: number): Buffer {
  const scan = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0])
  const start = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
  return Buffer.concat([
    jpeg.subarray(0, start),
    ...Array.from({ length: times }, () => scan),
    jpeg.subarray(start),
  ])
}
