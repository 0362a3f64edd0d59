/** Writes deploy/kubernetes from the chart; with `--check`, fails if they differ. Needs helm. */
import { writeOrCheck } from './generated-files.ts'
import { findHelm, renderVariant, VARIANTS } from './kubernetes-manifests.ts'

const helm = findHelm()
if (helm === undefined) throw new Error('there is no helm; see scripts/install-helm.mjs')
await writeOrCheck(
  VARIANTS.flatMap((variant) => renderVariant(helm, variant)),
  'manifests',
)
