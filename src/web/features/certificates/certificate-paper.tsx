import { encode } from 'uqr'
import { certificateLines, writtenCode } from '#shared/certificates/certificates.ts'
import type { PrintedCertificate, PrintedCertificates } from '#shared/certificates/certificates-response.ts'
import { heiNameOf } from '#shared/papers/office.ts'
import { PrintedPages } from '#web/components/printed-pages.tsx'
import { useSettings } from '#web/lib/settings.tsx'
import './certificates.css'

interface CertificatePapersProps {
  printed: PrintedCertificates
  onPrinted: () => void
}

/** Opens the print window with a page for each. */
export function CertificatePapers({ printed: { items, verifyAt }, onPrinted }: CertificatePapersProps) {
  return (
    <PrintedPages className="certificates" onPrinted={onPrinted}>
      {items.map((certificate) => (
        <CertificatePaper key={certificate.id} certificate={certificate} verifyAt={verifyAt} />
      ))}
    </PrintedPages>
  )
}

interface CertificatePaperProps {
  certificate: Omit<PrintedCertificate, 'id'>
  verifyAt: string
}

export function CertificatePaper({ certificate, verifyAt }: CertificatePaperProps) {
  const { kind, number, code, serialNumber, signatories } = certificate
  const settings = useSettings()
  const { logo, certificates: wording } = settings
  const schoolName = heiNameOf(settings)
  const [title, ...lines] = certificateLines(wording, certificate)
  return (
    <article className="certificate" data-kind={kind}>
      <header>
        {logo && <img src={logo.url} alt="" />}
        {schoolName && <p>{schoolName}</p>}
      </header>
      <div className="certificate-lines">
        <h2>{title?.text}</h2>
        {lines.map(({ text, isName }, place) =>
          isName ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            <p key={place} className="certificate-name" style={{ fontSize: `${nameSize(text)}pt` }}>
              {text}
            </p>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            <p key={place}>{text}</p>
          ),
        )}
      </div>
      {signatories.length > 0 && (
        <div className="certificate-signatories">
          {signatories.map((signatory, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they never move
            <div key={place}>
              <p>{signatory.name}</p>
              <p>{signatory.title}</p>
            </div>
          ))}
        </div>
      )}
      <footer>
        <p>{serialNumber ? `Serial number ${serialNumber}` : 'Serial number to follow'}</p>
        <div>
          <p>
            {number}
            <br />
            Code {writtenCode(code)}
            <br />
            Verify at {verifyAt.replace(/^https?:\/\//, '').replace(/\/$/, '')}
          </p>
          <QrCode text={verifyAt + code} />
        </div>
      </footer>
    </article>
  )
}

/** The font size in points. It shrinks until a name of 60 characters fits a line; a longer name wraps. */
function nameSize(text: string): number {
  return Math.max(15, Math.min(32, 900 / text.length))
}

/** Drawn in the page, so that nothing is loaded before it is printed. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 })
  const dark = data.flatMap((cells, y) =>
    cells.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${text}`}>
      <path d={dark.join('')} shapeRendering="crispEdges" />
    </svg>
  )
}
