// What can be said of a mapping only once all of its fields are known.
#pragma once

#include "opensearch/mapping_tree.h"

namespace postern::opensearch {

// Throws InvalidArgument for an alias or a copy_to whose target there is not, or cannot be.
void check_targets(MappingTree& tree);

// Throws InvalidArgument if one of the new objects is what a field of the tree is copied to.
void check_new_objects(const MappingTree& tree, const NewMappers& added);

// Of nested objects whose values come to the root through the objects between, include_in_root is
// taken away: they would come twice.
void drop_redundant_includes(MappingTree& tree);

}  // namespace postern::opensearch
