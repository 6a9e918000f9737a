// A shard's folder while it is built and until it becomes part of a repository.
#pragma once

#include <vector>

#include "opensearch/shard_manifest.h"
#include "postern/directory.h"

namespace postern::opensearch {

// Removes what an earlier build of the shard left there, finished or not. Throws LockHeld if one is
// still going on, IoError.
void clear_shard_folder(Directory& folder);

// After the writer's last commit: gives the files of the commit the random names they have in a
// repository and removes all others. The small files that a snapshot carries in its own metadata
// (segments_N and .si) end up in the result alone. Durable when it returns. Throws LockHeld,
// CorruptIndex, IoError.
std::vector<ShardFile> seal_shard_folder(Directory& folder);

// Writes the manifest, under its name only when it is whole, durably.
void write_manifest(Directory& folder, const ShardManifest& manifest);

}  // namespace postern::opensearch
