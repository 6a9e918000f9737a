// IP addresses as text, as OpenSearch's `ip` fields take them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace postern::opensearch {

// The 16 bytes of the field's point and of its doc value; an IPv4 address a.b.c.d is
// ::ffff:a.b.c.d. Empty: not an address (host names, zones and prefix lengths are none).
std::optional<std::array<uint8_t, 16>> parse_ip(std::string_view text);

}  // namespace postern::opensearch
