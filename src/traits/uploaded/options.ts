// Options of the trait uploaded.
import type { ValueSchema } from '../../model/schema/value-schema.js';
import type { ImageSize } from '../../model/site/file-storage.js';

/** Options as written in a schema file. */
export interface Options {
  /** Reference to the item that a file is attached to. */
  parent?: string;
  /** Field that receives the file's name when no title is sent. */
  title?: string;
  /** Field that receives the caption found in an image. */
  caption?: string;
  /** Who may fetch the files: everybody, or those who may read the item. */
  access?: 'public' | 'read';
  /** Copies that are made of images, in place of those of the configuration. */
  sizes?: Record<string, ImageSize>;
}

const PIXELS: ValueSchema = { type: 'integer', minimum: 1, maximum: 10_000 };

/** Their description for the grammar. */
export const OPTIONS: Record<string, ValueSchema> = {
  parent: { type: 'string', description: 'Reference to the item the file belongs to.' },
  title: { type: 'string', description: "Field that takes the file's name when none is given." },
  caption: { type: 'string', description: 'Field that takes the caption found in an image.' },
  access: {
    type: 'string',
    enum: ['public', 'read'],
    description: 'Who may fetch the file: everybody (default), or whoever may read the item.',
  },
  sizes: {
    type: 'object',
    description: 'Resized copies of images, by name, in place of those of IMAGE_SIZES; {} for none.',
    additionalProperties: {
      type: 'object',
      properties: {
        width: { ...PIXELS, description: 'Longest width in pixels; open when left out.' },
        height: { ...PIXELS, description: 'Longest height in pixels; open when left out.' },
        crop: { type: 'boolean', description: 'The copy fills width and height, and what protrudes is cut off.' },
      },
      additionalProperties: false,
    },
  },
};

/** Name of a copy that every image with copies has: the image itself. */
export const FULL = 'full';
