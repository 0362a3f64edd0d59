/**
 * Tokens of images and documents by the rules that providers publish. Sizes come in as pixels, pages
 * and bytes; reading them out of a payload is the formats' business.
 */
import { normaliseName, withoutVendor } from './windows/names.ts'

export type MediaProvider = 'openai' | 'anthropic' | 'google'

export interface ImageFacts {
  /** Pixels; undefined where not known. */
  readonly width?: number
  readonly height?: number
  /** OpenAI: `low`, `high`, `original` or `auto`. Others ignore it. */
  readonly detail?: string
}

export interface DocumentFacts {
  readonly pages?: number
  readonly bytes?: number
}

export interface MediaCounters {
  readonly countImage: (image: ImageFacts) => number
  readonly countDocument: (document: DocumentFacts) => number
}

interface Size {
  readonly width: number
  readonly height: number
}

type ImageRule = (size: Size, detail: string | undefined) => number

/** What an image of unknown size is taken for: a common upload, and the middle of what providers bill. */
const ASSUMED_SIZE: Size = { width: 1024, height: 1024 }

/** Bytes of a page where only the file's size is known: scans have more, plain text has less. */
const BYTES_PER_PAGE = 50_000

/**
 * Tokens of a page. Anthropic: 1,500 to 3,000 for its text, and its picture on top ("PDF support").
 * OpenAI: text and picture too, at its image rates. Google: 258 ("Document understanding").
 */
const TOKENS_PER_PAGE: Readonly<Record<MediaProvider, number>> = {
  anthropic: 3000,
  openai: 1500,
  google: 258,
}

/** Counters for a model; `provider` decides where the model's name does not. */
export function createMediaCounters(
  model: string | undefined,
  provider: MediaProvider = 'openai',
): MediaCounters {
  const name = modelName(model)
  const maker = makerOf(name) ?? provider
  const countSized = imageRule(maker, name)
  return {
    countImage: ({ width, height, detail }) =>
      isSide(width) && isSide(height)
        ? countSized({ width, height }, detail)
        : countSized(ASSUMED_SIZE, detail),
    countDocument: ({ pages, bytes }) => {
      const known = pages ?? Math.ceil((bytes ?? 0) / BYTES_PER_PAGE)
      return Math.max(1, known) * TOKENS_PER_PAGE[maker]
    },
  }
}

function isSide(pixels: number | undefined): pixels is number {
  return pixels !== undefined && pixels > 0 && Number.isFinite(pixels)
}

function modelName(model: string | undefined): string {
  return normaliseName(model === undefined ? '' : (withoutVendor(model).at(-1) ?? ''))
}

function makerOf(name: string): MediaProvider | undefined {
  if (name.startsWith('claude')) return 'anthropic'
  if (name.startsWith('gemini') || name.startsWith('gemma')) return 'google'
  return /^(?:gpt|chatgpt|o\d|computer-use)/.test(name) ? 'openai' : undefined
}

function imageRule(maker: MediaProvider, name: string): ImageRule {
  switch (maker) {
    case 'anthropic':
      return anthropicRule(name)
    case 'google':
      return googleRule
    case 'openai':
      return openaiRule(name)
  }
}

/**
 * Patches of 28 pixels, after scaling into the model's limits ("Vision", resolution and token cost):
 * 2,576 pixels and 4,784 tokens from Opus 4.7 and the fifth generation on, 1,568 and 1,568 before.
 */
function anthropicRule(name: string): ImageRule {
  const generation = /^claude-(?:opus|sonnet|haiku|fable|mythos)-(\d+)(?:-(\d{1,2})(?!\d))?/.exec(
    name,
  )
  const version = Number(generation?.[1] ?? 0) + Number(generation?.[2] ?? 0) / 100
  const isHighResolution = version >= 5 || (name.startsWith('claude-opus') && version >= 4.07)
  const limits = isHighResolution
    ? { patch: 28, maxEdge: 2576, maxPatches: 4784 }
    : { patch: 28, maxEdge: 1568, maxPatches: 1568 }
  return (size) => countPatches(size, limits)
}

/** 258 for an image of at most 384 pixels a side, else for each tile of 768 ("Image understanding"). */
const googleRule: ImageRule = ({ width, height }) => {
  if (width <= 384 && height <= 384) return 258
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768)
}

interface PatchLimits {
  /** Pixels of a patch's side. */
  readonly patch: number
  readonly maxEdge: number
  readonly maxPatches: number
}

/**
 * Patches that cover the image after it has been scaled down to the limits, its proportions kept: to
 * the longest edge first, and if there are still too many patches, so that a whole number of them
 * fits.
 */
function countPatches(size: Size, { patch, maxEdge, maxPatches }: PatchLimits): number {
  const scale = Math.min(1, maxEdge / Math.max(size.width, size.height))
  const across = (size.width * scale) / patch
  const down = (size.height * scale) / patch
  if (Math.ceil(across) * Math.ceil(down) <= maxPatches) return Math.ceil(across) * Math.ceil(down)
  const shrink = Math.sqrt(maxPatches / (across * down))
  const fit = Math.min(wholePart(across * shrink), wholePart(down * shrink))
  return roundUp(across * shrink * fit) * roundUp(down * shrink * fit)
}

/** The factor that makes a number of patches whole; a strip thinner than one patch stays one. */
function wholePart(patches: number): number {
  return patches < 1 ? 1 : Math.floor(patches) / patches
}

/** A product that should be whole may be a hair above it. */
function roundUp(patches: number): number {
  return Math.max(1, Math.ceil(patches - 1e-6))
}

interface TileRule {
  readonly base: number
  readonly tile: number
}

interface PatchRule {
  readonly multiplier: number
  readonly maxPatches: number
  /** Patches with `detail: original`, where the model takes it. */
  readonly originalPatches?: number
}

const ORIGINAL = { originalPatches: 10_000 }

/**
 * OpenAI, "Images and vision", calculating costs. The first row whose name begins the model's name
 * counts, so longer names come before shorter ones.
 */
const OPENAI_RULES: readonly (readonly [string, TileRule | PatchRule])[] = [
  ['gpt-4o-mini', { base: 2833, tile: 5667 }],
  ['gpt-4-1-mini', { multiplier: 1.62, maxPatches: 1536 }],
  ['gpt-4-1-nano', { multiplier: 2.46, maxPatches: 1536 }],
  ['gpt-4', { base: 85, tile: 170 }],
  ['chatgpt-4o', { base: 85, tile: 170 }],
  ['gpt-5-4-mini', { multiplier: 1.62, maxPatches: 1536 }],
  ['gpt-5-4-nano', { multiplier: 2.46, maxPatches: 1536 }],
  ['gpt-5-mini', { multiplier: 1.62, maxPatches: 1536 }],
  ['gpt-5-nano', { multiplier: 2.46, maxPatches: 1536 }],
  ['gpt-5-2', { multiplier: 1.2, maxPatches: 1536, ...ORIGINAL }],
  ['gpt-5-3', { multiplier: 1.2, maxPatches: 1536, ...ORIGINAL }],
  ['gpt-5-1', { base: 70, tile: 140 }],
  ['gpt-5-', { multiplier: 1.2, maxPatches: 2500, ...ORIGINAL }],
  ['gpt-5', { base: 70, tile: 140 }],
  ['gpt-', { multiplier: 1.2, maxPatches: 2500, ...ORIGINAL }],
  ['o4-mini', { multiplier: 1.72, maxPatches: 1536 }],
  ['o1', { base: 75, tile: 150 }],
  ['o3', { base: 75, tile: 150 }],
  ['computer-use', { base: 65, tile: 129 }],
]

/** What a model that nobody here knows is counted by: the rule most servers took over. */
const DEFAULT_RULE: TileRule = { base: 85, tile: 170 }

function openaiRule(name: string): ImageRule {
  const found = OPENAI_RULES.find(([prefix]) => name.startsWith(prefix))?.[1] ?? DEFAULT_RULE
  return 'tile' in found ? tileRule(found) : patchRule(found)
}

/** Fit into 2,048 by 2,048, shortest side to 768, then tiles of 512. Low detail is the base alone. */
function tileRule({ base, tile }: TileRule): ImageRule {
  return ({ width, height }, detail) => {
    if (detail === 'low') return base
    const fit = Math.min(1, 2048 / Math.max(width, height))
    const shrink = Math.min(1, 768 / (Math.min(width, height) * fit))
    const across = roundUp((width * fit * shrink) / 512)
    const down = roundUp((height * fit * shrink) / 512)
    return base + tile * across * down
  }
}

/** Patches of 32 pixels times the model's multiplier. Low detail is an image of 512 by 512. */
function patchRule({ multiplier, maxPatches, originalPatches }: PatchRule): ImageRule {
  return (size, detail) => {
    const limits =
      detail === 'original' && originalPatches !== undefined
        ? { patch: 32, maxEdge: 6000, maxPatches: originalPatches }
        : { patch: 32, maxEdge: detail === 'low' ? 512 : 2048, maxPatches }
    return Math.ceil(countPatches(size, limits) * multiplier)
  }
}
