#include "services/cli/picture.h"

#include <librsvg/rsvg.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>

namespace astragal::cli {
namespace {

struct Release {
  void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(GError* error) const { g_error_free(error); }
};

absl::Status Failed(const std::string& path, const std::string& why) {
  std::remove(path.c_str());
  return absl::InternalError("The picture " + path + " cannot be written: " + why + ".");
}

absl::Status WritePng(const std::string& svg, const std::string& path) {
  GError* raw_error = nullptr;
  const std::unique_ptr<RsvgHandle, Release> handle(rsvg_handle_new_from_data(
      reinterpret_cast<const guint8*>(svg.data()), svg.size(), &raw_error));
  std::unique_ptr<GError, Release> error(raw_error);
  if (handle == nullptr) return Failed(path, error->message);
  gdouble width = 0;
  gdouble height = 0;
  if (rsvg_handle_get_intrinsic_size_in_pixels(handle.get(), &width, &height) == FALSE) {
    return Failed(path, "it has no size");
  }
  const std::unique_ptr<cairo_surface_t, Release> surface(
      cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(std::ceil(width)),
                                 static_cast<int>(std::ceil(height))));
  const std::unique_ptr<cairo_t, Release> cairo(cairo_create(surface.get()));
  const RsvgRectangle page{0, 0, width, height};
  if (rsvg_handle_render_document(handle.get(), cairo.get(), &page, &raw_error) == FALSE) {
    error.reset(raw_error);
    return Failed(path, error->message);
  }
  const cairo_status_t written = cairo_surface_write_to_png(surface.get(), path.c_str());
  if (written != CAIRO_STATUS_SUCCESS) return Failed(path, cairo_status_to_string(written));
  return absl::OkStatus();
}

}  // namespace

absl::Status WritePicture(const std::string& svg, const std::string& path) {
  if (path.ends_with(".png")) return WritePng(svg, path);
  std::ofstream file(path, std::ios::binary);
  file << svg;
  file.close();
  return file.good() ? absl::OkStatus() : Failed(path, "the disk or the folder says no");
}

}  // namespace astragal::cli
